/**
 * The text of a cell: its paragraphs, one a line (OpenDocument part 3, 6.1). Formats are dropped, comments are not
 * collected.
 */
import { limits } from '../limits.ts';

const LINE_BREAK = /[\t\r\n]/u;

export class CellText {
  /** Undefined before the first paragraph. */
  text: string | undefined;
  /** Paragraphs that are open, one within the other. */
  private depth = 0;
  /** True if the text ends in a collapsed space, to which further white space adds nothing. */
  private isAtBreak = false;

  clear(): void {
    this.text = undefined;
    this.depth = 0;
  }

  get isOpen(): boolean {
    return this.depth > 0;
  }

  /** True if the text is longer than any cell may be. */
  get isTooLong(): boolean {
    return (this.text?.length ?? 0) > limits.xmlTextCharacters;
  }

  open(name: string, attributes: Record<string, string>): void {
    switch (name) {
      case 'text:p':
      case 'text:h':
        this.text = this.text === undefined ? '' : `${this.text}\n`;
        this.depth += 1;
        this.isAtBreak = true;
        break;
      case 'text:s':
        this.add(' '.repeat(Math.min(limits.xmlTextCharacters, countOf(attributes['text:c']))));
        break;
      case 'text:tab':
        this.add('\t');
        break;
      case 'text:line-break':
        this.add('\n');
        break;
      default:
    }
  }

  close(name: string): void {
    if (name === 'text:p' || name === 'text:h') this.depth -= 1;
  }

  /**
   * Text of the file. A line break in it, with the space around, is one space, as the format says; several spaces stay,
   * because LibreOffice writes and reads them as they are.
   */
  characters(text: string): void {
    if (this.depth === 0) return;
    let plain = LINE_BREAK.test(text)
      ? text.replaceAll(/[ \t\r\n]+/gu, (space) => (LINE_BREAK.test(space) ? ' ' : space))
      : text;
    if (this.isAtBreak && plain !== text) plain = plain.replace(/^ /u, '');
    if (plain !== '') this.add(plain);
  }

  private add(text: string): void {
    if (this.depth === 0) return;
    this.text = (this.text ?? '') + text;
    this.isAtBreak = false;
  }
}

/** A count in an attribute: 1 if the attribute is missing or invalid. */
export function countOf(attribute: string | undefined): number {
  const count = Number(attribute ?? 1);
  return Number.isSafeInteger(count) && count >= 1 ? count : 1;
}
