/** The rows that every side writes: twelve columns as in SPEED's tables, texts and numbers. */
import { closeSync, openSync, writeSync } from 'node:fs';

export const HEADERS = Array.from({ length: 12 }, (_, column) => `Column ${column + 1}`);

export function row(number: number): (string | number)[] {
  return HEADERS.map((_, column) =>
    column % 3 === 0 ? number + column / 4 : `Item ${number}, series ${column}`,
  );
}

/** A CSV of toys: eleven columns that are mapped, and one that is ignored. */
export function writeToys(file: string, rows: number): void {
  const handle = openSync(file, 'w');
  writeSync(
    handle,
    'name,brand,series,year,condition,packaging,status,tags,estimated value,custom_fields.sku,custom_fields.shelf,comment\n',
  );
  for (let from = 1; from <= rows; from += 1000) {
    const lines = Array.from({ length: Math.min(1000, rows - from + 1) }, (_, at) => {
      const toy = from + at;
      return `Star Cruiser No. ${toy},Halloway Plastics,Deep ${toy % 40},${1970 + (toy % 50)},loose_good,opened,keep,space;blue,${(toy % 900) + 0.5},SKU-${toy},A${toy % 30},"bought at a fair, boxed"\n`;
    });
    writeSync(handle, lines.join(''));
  }
  closeSync(handle);
}
