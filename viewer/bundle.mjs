// bundle.mjs - dist/page.html: src/ as one HTML file, the script as an IIFE, the style inside it,
// `<!--data-->` where the program writes the runs; dist/film.js: what films need besides.
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const folder = new URL(".", import.meta.url).pathname;

/** Name, version and licence of each library in the page. */
function licences() {
  return ["three", "uplot", "fft.js"].map((name) => {
    const about = JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, "utf8"));
    const file = name === "fft.js" ? "README.md" : "LICENSE"; // where it says so
    const text = readFileSync(`${folder}node_modules/${name}/${file}`, "utf8");
    return { name, version: about.version, licence: about.license, text };
  });
}

async function bundle(entry) {
  const result = await build({
    entryPoints: [folder + "src/" + entry],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    write: false,
    legalComments: "none",
    charset: "ascii",
    loader: { ".css": "text" },
    define: { LICENCES: JSON.stringify(licences()) },
  });
  return result.outputFiles[0].text;
}

function write(name, text) {
  writeFileSync(`${folder}dist/${name}.new`, text);
  renameSync(`${folder}dist/${name}.new`, `${folder}dist/${name}`);
}

mkdirSync(folder + "dist", { recursive: true });
// a closing tag inside of the script would end it
const script = (await bundle("main.ts")).replaceAll("</script", "<\\/script");
const frame = readFileSync(folder + "src/page.html", "utf8");
write("film.js", await bundle("film.ts"));
write(
  "page.html",
  frame.replace("/*script*/", () => script),
);
