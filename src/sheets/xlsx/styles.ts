import type { Readable } from 'node:stream';
import { limitError, limits } from '../limits.ts';
import { builtInFormatKind, type FormatKind, formatKind } from './number-format.ts';
import { readXml, type XmlPlace } from './xml.ts';

/** For each cell style, by its index, what its number format shows. Only `cellXfs` count, not `cellStyleXfs`. */
export async function readStyles(stream: Readable, place: XmlPlace): Promise<FormatKind[]> {
  const custom = new Map<number, FormatKind>();
  const ids: number[] = [];
  await readXml(stream, place, {
    open(name, attributes, parent) {
      if (name === 'xf' && parent === 'cellXfs') {
        ids.push(Number(attributes['numFmtId'] ?? 0));
        if (ids.length > limits.cellFormats) {
          throw limitError(
            'cell_formats',
            `The workbook has more than ${limits.cellFormats} cell formats.`,
            place.file,
          );
        }
        // Those of `dxfs` (conditional formats) have ids of their own.
      } else if (name === 'numFmt' && parent === 'numFmts' && attributes['numFmtId'] !== undefined) {
        custom.set(Number(attributes['numFmtId']), formatKind(attributes['formatCode'] ?? ''));
      }
    },
    close() {},
    text() {},
  });
  return ids.map((id) => custom.get(id) ?? builtInFormatKind(id));
}
