/**
 * Reads a form with a file while it arrives (RFC 7578), so that a file of any size takes no memory.
 *
 * It accepts only the form that browsers send: a text field is at most 64 kB, and the file is the last part.
 */
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';

export interface FormFile {
  /** Text fields that came before the file. */
  fields: ReadonlyMap<string, string>;
  /** Name from the browser; '' if no file was chosen. */
  name: string;
  content: AsyncIterable<Uint8Array>;
}

const MAX_TEXT_BYTES = 64 * 1024;
const MAX_HEADER_BYTES = 16 * 1024;
const CRLF = Buffer.from('\r\n');

/** @throws UsageError `bad_upload` for a body that is not such a form */
export async function readFileForm(
  contentType: string | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<FormFile> {
  const boundary = /^multipart\/form-data;.*\bboundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(
    contentType ?? '',
  );
  const mark = boundary?.[1] ?? boundary?.[2];
  if (mark === undefined) throw bad();
  const source = new Source(body);
  // The first boundary has no line before it.
  const first = await source.until(Buffer.from(`--${mark}`), MAX_HEADER_BYTES);
  if (first.length > 0) throw bad();
  const separator = Buffer.from(`\r\n--${mark}`);
  const fields = new Map<string, string>();
  for (;;) {
    if ((await source.until(CRLF, 2)).length > 0) throw bad();
    const head = (await source.until(Buffer.from('\r\n\r\n'), MAX_HEADER_BYTES)).toString('utf8');
    const disposition = /^content-disposition:\s*form-data;(.*)$/im.exec(head)?.[1] ?? '';
    const name = parameter(disposition, 'name') ?? '';
    const file = parameter(disposition, 'filename');
    if (file !== undefined) return { fields, name: file, content: source.through(separator) };
    fields.set(name, (await source.until(separator, MAX_TEXT_BYTES)).toString('utf8'));
  }
}

/** Browsers escape a quote as %22 and line breaks as %0D %0A, and nothing else (HTML, multipart/form-data). */
function parameter(disposition: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return found?.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
}

class Source {
  readonly #body: AsyncIterator<Uint8Array>;
  #buffer = Buffer.alloc(0);

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body[Symbol.asyncIterator]();
  }

  /** The bytes before the next `mark`, which is consumed. @throws if there are more than `most` */
  async until(mark: Buffer, most: number): Promise<Buffer> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at > most || (at < 0 && this.#buffer.length > most + mark.length)) throw bad();
      if (at >= 0) {
        const found = this.#buffer.subarray(0, at);
        this.#buffer = this.#buffer.subarray(at + mark.length);
        return found;
      }
      if (!(await this.#more())) throw bad();
    }
  }

  /**
   * The bytes before the next `mark`, as they arrive. @throws if the body ends before it, because the upload was cut
   * off
   */
  async *through(mark: Buffer): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      const at = this.#buffer.indexOf(mark);
      if (at >= 0) {
        if (at > 0) yield this.#buffer.subarray(0, at);
        return;
      }
      // The mark may begin at the end of the bytes so far.
      const safe = this.#buffer.length - mark.length;
      if (safe > 0) {
        yield this.#buffer.subarray(0, safe);
        this.#buffer = this.#buffer.subarray(safe);
      }
      if (!(await this.#more())) throw bad();
    }
  }

  async #more(): Promise<boolean> {
    const next = await this.#body.next();
    if (next.done === true) return false;
    this.#buffer =
      this.#buffer.length === 0 ? Buffer.from(next.value) : Buffer.concat([this.#buffer, next.value]);
    return true;
  }
}

function bad(): UsageError {
  return new UsageError('bad_upload', message('bad_upload', {}), {
    actions: [{ do: 'byHand', label: message('choose_it_again', {}) }],
  });
}
