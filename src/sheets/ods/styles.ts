/**
 * Which cell styles show a date, a time, a percentage or a currency (OpenDocument part 3, 16.27), and which tables are
 * hidden.
 */
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import { type NumberFormat, shownCurrency } from '../workbook/number-format.ts';

const DATE_PARTS: ReadonlySet<string> = new Set(
  ['year', 'month', 'day', 'day-of-week', 'week-of-year', 'quarter', 'era'].map((part) => `number:${part}`),
);
const TIME_PARTS: ReadonlySet<string> = new Set(
  ['hours', 'minutes', 'seconds', 'am-pm'].map((part) => `number:${part}`),
);
const NUMBER_STYLES: ReadonlySet<string> = new Set(
  ['number', 'currency', 'percentage'].map((style) => `number:${style}-style`),
);
const CURRENCY_SYMBOL = 'number:currency-symbol';
/** A style may refer to a parent, and that to another: longer chains are circles. */
const MAX_PARENTS = 20;

interface ShownParts {
  date: boolean;
  time: boolean;
  /** True if hours continue after 24. */
  isDuration: boolean;
}

interface CellStyle {
  dataStyle: string | undefined;
  parent: string | undefined;
}

/** Collects styles from events of `styles.xml` and then of `content.xml`, whose styles win. */
export class StyleCollector {
  private readonly file: string;
  private readonly cellStyles = new Map<string, CellStyle>();
  /** Name of a date or time style → the parts that it shows. */
  private readonly dateStyles = new Map<string, ShownParts>();
  private readonly hiddenTables = new Set<string>();
  private readonly numberStyles = new Map<string, NumberFormat>();
  private readonly formats = new Map<string, NumberFormat | undefined>();
  private tableStyle = '';
  private dateStyle: ShownParts | undefined;
  private numberStyle: NumberFormat | undefined;
  /** The text of an open part of a number style. */
  private literal: string | undefined;
  private hasLiteral = false;

  constructor(file: string) {
    this.file = file;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'style:style') this.openStyle(attributes);
    else if (name === 'number:date-style' || name === 'number:time-style') {
      const isDuration = attributes['number:truncate-on-overflow'] === 'false';
      this.dateStyle = { date: false, time: false, isDuration };
      this.keep(this.dateStyles, attributes['style:name'] ?? '', this.dateStyle);
    } else if (NUMBER_STYLES.has(name)) {
      this.numberStyle = { kind: name === 'number:percentage-style' ? 'percent' : 'number' };
      this.keep(this.numberStyles, attributes['style:name'] ?? '', this.numberStyle);
    } else if (name === 'number:number' && this.numberStyle?.kind === 'number') {
      this.numberStyle.digits = codeDigits(attributes);
    } else if (name === 'number:text' || name === CURRENCY_SYMBOL) {
      this.literal = '';
    } else if (name === 'style:table-properties' && this.tableStyle !== '') {
      if (attributes['table:display'] === 'false') this.hiddenTables.add(this.tableStyle);
      else this.hiddenTables.delete(this.tableStyle);
    } else if (this.dateStyle !== undefined) {
      if (DATE_PARTS.has(name)) this.dateStyle.date = true;
      else if (TIME_PARTS.has(name)) this.dateStyle.time = true;
    }
  }

  text(text: string): void {
    if (this.literal !== undefined) this.literal += text;
  }

  close(name: string): void {
    if (name === 'style:style') this.tableStyle = '';
    else if (NUMBER_STYLES.has(name)) {
      // A code shows nothing but its digits.
      if (this.hasLiteral) delete this.numberStyle?.digits;
      this.hasLiteral = false;
      this.numberStyle = undefined;
    } else if (this.literal !== undefined && (name === 'number:text' || name === CURRENCY_SYMBOL)) {
      const currency = shownCurrency(this.literal, name === CURRENCY_SYMBOL);
      if (this.numberStyle !== undefined) {
        this.numberStyle.currency ??= currency;
        this.hasLiteral ||= this.literal !== '';
      }
      this.literal = undefined;
    } else if (name === 'number:date-style' || name === 'number:time-style') this.dateStyle = undefined;
  }

  /** What a cell of this style shows; undefined if the style says nothing about that. */
  formatOf(style: string): NumberFormat | undefined {
    if (!this.formats.has(style)) this.formats.set(style, this.findFormat(style));
    return this.formats.get(style);
  }

  isHiddenTable(style: string): boolean {
    return this.hiddenTables.has(style);
  }

  private openStyle(attributes: Record<string, string>): void {
    const name = attributes['style:name'] ?? '';
    const family = attributes['style:family'];
    if (family === 'table') this.tableStyle = name;
    if (family !== 'table-cell') return;
    this.keep(this.cellStyles, name, {
      dataStyle: attributes['style:data-style-name'],
      parent: attributes['style:parent-style-name'],
    });
  }

  private findFormat(name: string): NumberFormat | undefined {
    let style = this.cellStyles.get(name);
    for (let depth = 0; style !== undefined && depth < MAX_PARENTS; depth += 1) {
      if (style.dataStyle !== undefined) {
        const shown = this.dateStyles.get(style.dataStyle);
        if (shown === undefined) return this.numberStyles.get(style.dataStyle);
        if (shown.date) return { kind: shown.time ? 'datetime' : 'date' };
        if (!shown.time) return undefined;
        return { kind: shown.isDuration ? 'duration' : 'time' };
      }
      style = this.cellStyles.get(style.parent ?? '');
    }
    return undefined;
  }

  private keep<Style>(styles: Map<string, Style>, name: string, style: Style): void {
    styles.set(name, style);
    if (styles.size > limits.cellFormats) {
      const found = message('too_many_formats', { most: limits.cellFormats });
      throw limitError('cell_formats', found, this.file);
    }
  }
}

/** `00000`: at least two digits, without decimals and groups. */
function codeDigits(attributes: Record<string, string>): number | undefined {
  const digits = Number(attributes['number:min-integer-digits'] ?? 0);
  const isPlain =
    Number(attributes['number:decimal-places'] ?? 0) === 0 && attributes['number:grouping'] !== 'true';
  return digits >= 2 && isPlain ? digits : undefined;
}
