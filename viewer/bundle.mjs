// bundle.mjs - one HTML file of src/: the script as an IIFE, the style inline, `<!--data-->` where
// the program writes the runs.
import { build } from "esbuild";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";

const folder = new URL(".", import.meta.url).pathname;
const result = await build({
  entryPoints: [folder + "src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  write: false,
  legalComments: "none",
  loader: { ".css": "text" },
  define: { LICENCES: JSON.stringify(licences()) },
});

/** Name, version and licence of each library in the page. */
function licences() {
  return ["three", "uplot"].map((name) => {
    const about = JSON.parse(readFileSync(`${folder}node_modules/${name}/package.json`, "utf8"));
    const text = readFileSync(`${folder}node_modules/${name}/LICENSE`, "utf8");
    return { name, version: about.version, licence: about.license, text };
  });
}

// a closing tag inside of the script would end it
const script = result.outputFiles[0].text.replaceAll("</script", "<\\/script");
const page = readFileSync(folder + "src/page.html", "utf8").replace("/*script*/", () => script);
mkdirSync(folder + "dist", { recursive: true });
writeFileSync(folder + "dist/page.html.new", page);
renameSync(folder + "dist/page.html.new", folder + "dist/page.html");
