/** The name of a row in its store. */
export interface RowName {
  /** Id of the job. */
  job: string;
  /** Position in the job, from 1. */
  ordinal: number;
}

/** The form in which rows that refer to it store it. */
export function rowNameText({ job, ordinal }: RowName): string {
  return `${job}/${ordinal}`;
}

export function parseRowName(text: string): RowName {
  const at = text.lastIndexOf('/');
  return { job: text.slice(0, at), ordinal: Number(text.slice(at + 1)) };
}

/** The place of a row in its file, the same for all copies of the row. */
export interface RowPlace {
  /** Row number as a spreadsheet program shows it. */
  sheetRow: number;
  sheet?: string | undefined;
}

export function placeOf({ sheetRow, sheet }: RowPlace): string {
  return `${sheetRow} ${sheet ?? ''}`;
}
