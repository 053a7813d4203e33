/** The parts of a small workbook in memory, to be edited and packed again. */
import { promisify } from 'node:util';
import { crc32, deflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { type Package, packageError } from '../workbook/package.ts';
import { partText } from './edit-xml.ts';

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
export const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Asynchronous, so that compression does not block the thread that serves pages. */
const deflated = promisify(deflateRaw);

export class PackageParts {
  readonly #parts: Map<string, Uint8Array>;

  private constructor(parts: Map<string, Uint8Array>) {
    this.#parts = parts;
  }

  /** @returns undefined if the parts together have more than `maxBytes` */
  static async read(from: Package, maxBytes: number): Promise<PackageParts | undefined> {
    const parts = new Map<string, Uint8Array>();
    let bytes = 0;
    for (const name of from.names) {
      if (name.endsWith('/')) continue;
      const pieces: Uint8Array[] = [];
      try {
        for await (const piece of await from.open(name)) {
          bytes += (piece as Uint8Array).byteLength;
          if (bytes > maxBytes) return undefined;
          pieces.push(piece as Uint8Array);
        }
      } catch (cause) {
        throw packageError(from.file, cause);
      }
      parts.set(name, Buffer.concat(pieces));
    }
    return new PackageParts(parts);
  }

  get names(): string[] {
    return [...this.#parts.keys()];
  }

  /** The text of a part, by its name in any case; undefined if there is no such part. */
  text(name: string): string | undefined {
    const bytes = this.#parts.get(this.#known(name));
    return bytes === undefined ? undefined : partText(bytes);
  }

  put(name: string, xml: string): void {
    this.#parts.set(this.#known(name), Buffer.from(xml));
  }

  async pack(): Promise<Buffer> {
    const packed: Uint8Array[] = [];
    const zip = new Zip((error, piece) => {
      if (error !== null) throw error;
      packed.push(piece);
    });
    for (const [filename, bytes] of this.#parts) {
      const file: ZipInputFile = { filename, size: bytes.length, crc: crc32(bytes), compression: 8 };
      zip.add(file);
      file.ondata?.(null, await deflated(bytes), true);
    }
    zip.end();
    return Buffer.concat(packed);
  }

  #known(name: string): string {
    const wanted = name.toLowerCase();
    return this.names.find((each) => each.toLowerCase() === wanted) ?? name;
  }
}
