/**
 * Which cell styles show a date, a time or both (OpenDocument part 3, 16.27), and which tables are hidden.
 */
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';
import type { FormatKind } from '../workbook/number-format.ts';

const DATE_PARTS: ReadonlySet<string> = new Set(
  ['year', 'month', 'day', 'day-of-week', 'week-of-year', 'quarter', 'era'].map((part) => `number:${part}`),
);
const TIME_PARTS: ReadonlySet<string> = new Set(
  ['hours', 'minutes', 'seconds', 'am-pm'].map((part) => `number:${part}`),
);
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
  private readonly kinds = new Map<string, FormatKind | undefined>();
  private tableStyle = '';
  private dateStyle: ShownParts | undefined;

  constructor(file: string) {
    this.file = file;
  }

  open(name: string, attributes: Record<string, string>): void {
    if (name === 'style:style') this.openStyle(attributes);
    else if (name === 'number:date-style' || name === 'number:time-style') {
      const isDuration = attributes['number:truncate-on-overflow'] === 'false';
      this.dateStyle = { date: false, time: false, isDuration };
      this.keep(this.dateStyles, attributes['style:name'] ?? '', this.dateStyle);
    } else if (name === 'style:table-properties' && this.tableStyle !== '') {
      if (attributes['table:display'] === 'false') this.hiddenTables.add(this.tableStyle);
      else this.hiddenTables.delete(this.tableStyle);
    } else if (this.dateStyle !== undefined) {
      if (DATE_PARTS.has(name)) this.dateStyle.date = true;
      else if (TIME_PARTS.has(name)) this.dateStyle.time = true;
    }
  }

  close(name: string): void {
    if (name === 'style:style') this.tableStyle = '';
    else if (name === 'number:date-style' || name === 'number:time-style') this.dateStyle = undefined;
  }

  /** The parts of a date that a cell of this style shows; undefined if the style does not format dates. */
  kindOf(style: string): FormatKind | undefined {
    if (!this.kinds.has(style)) this.kinds.set(style, this.findKind(style));
    return this.kinds.get(style);
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

  private findKind(name: string): FormatKind | undefined {
    let style = this.cellStyles.get(name);
    for (let depth = 0; style !== undefined && depth < MAX_PARENTS; depth += 1) {
      if (style.dataStyle !== undefined) {
        const shown = this.dateStyles.get(style.dataStyle);
        if (shown === undefined) return undefined;
        if (shown.date) return shown.time ? 'datetime' : 'date';
        if (!shown.time) return undefined;
        return shown.isDuration ? 'duration' : 'time';
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
