/** Skips results, rejects and manifests that are passed together with their source (`import *.csv`). */
import { createReadStream } from 'node:fs';
import { basename, extname } from 'node:path';

/** Maximum length of a header, bytes. */
const HEADER_BYTES = 256 * 1024;
const OUTPUT =
  /^(?<stem>.+?)(?:\.undo)?\.(?:results|rejects|to-delete)(?:-\d+|\.kept-[\d-]+(?:\.\d+)?)?\.csv$/;
const MANIFEST = /^(?<name>.+)\.manifest\.json$/;
const OUR_HEADER = /_row"?[,;|\t]"?_state|id[,;|\t]name[,;|\t]row[,;|\t]created_by/;

export interface LeftOut {
  file: string;
  /** Its source, as given on the command line. */
  source: string;
}

/** @returns the files to import, in order, and the files left out because their source is given too */
export async function leaveOutOutputs(
  files: readonly string[],
): Promise<{ sources: string[]; leftOut: LeftOut[] }> {
  const sources: string[] = [];
  const leftOut: LeftOut[] = [];
  for (const file of files) {
    const source = sourceOf(file, files);
    if (source !== undefined && (MANIFEST.test(file) || (await hasOurColumns(file))))
      leftOut.push({ file, source });
    else sources.push(file);
  }
  return { sources, leftOut };
}

function sourceOf(file: string, files: readonly string[]): string | undefined {
  const name = basename(file);
  const whole = MANIFEST.exec(name)?.groups?.['name'];
  const stem = OUTPUT.exec(name)?.groups?.['stem'];
  return files.find((other) => {
    const given = basename(other);
    return (
      other !== file && (given === whole || (stem !== undefined && basename(given, extname(given)) === stem))
    );
  });
}

/** A rejects file without these columns was edited, and is imported. A file that cannot be read fails later. */
async function hasOurColumns(file: string): Promise<boolean> {
  let text = '';
  try {
    for await (const chunk of createReadStream(file, { encoding: 'utf8', end: HEADER_BYTES - 1 }))
      text += chunk;
  } catch {
    return false;
  }
  return OUR_HEADER.test(text);
}
