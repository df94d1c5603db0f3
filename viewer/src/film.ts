// film.ts - the view as a film, encoded by the browser itself. Run by `trammel report --webm`,
// which has the page open; not part of the page.
import { BufferTarget, CanvasSource, Output, QUALITY_HIGH, WebMOutputFormat } from "mediabunny";

interface Page {
  canvas(): HTMLCanvasElement;
  pose(t: number): void;
}

/** Base64 of a large array, piece by piece. */
function base64(bytes: Uint8Array): string {
  let letters = "";
  for (let i = 0; i < bytes.length; i += 32768) {
    letters += String.fromCharCode(...bytes.subarray(i, i + 32768));
  }
  return btoa(letters);
}

/** Frames at these times, `rate` in a second. */
async function film(times: number[], rate: number): Promise<string> {
  const page = (window as unknown as { trammel: Page }).trammel;
  const target = new BufferTarget();
  const output = new Output({ format: new WebMOutputFormat(), target });
  const source = new CanvasSource(page.canvas(), { codec: "vp9", bitrate: QUALITY_HIGH });
  output.addVideoTrack(source, { frameRate: rate });
  await output.start();
  for (let i = 0; i < times.length; i++) {
    page.pose(times[i]);
    await source.add(i / rate, 1 / rate);
  }
  await output.finalize();
  return base64(new Uint8Array(target.buffer!));
}

Object.assign(window, { trammelFilm: film });
