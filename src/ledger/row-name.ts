/** The name of a row in its store. */
export interface RowName {
  /** Id of its job. */
  job: string;
  /** Its position in the job, from 1. */
  ordinal: number;
}

/** As it is stored with rows that refer to it. */
export function rowNameText({ job, ordinal }: RowName): string {
  return `${job}/${ordinal}`;
}

export function parseRowName(text: string): RowName {
  const at = text.lastIndexOf('/');
  return { job: text.slice(0, at), ordinal: Number(text.slice(at + 1)) };
}
