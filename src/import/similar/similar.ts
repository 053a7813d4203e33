/** What a plan found; kept with the job. */
export interface Similar {
  /** Rows that look like some item. */
  rows: number;
  /** Those that most rows look like. */
  items: { id: string; name: string; rows: number }[];
  /** A person has said what becomes of them: a resume does not ask again. */
  agreed?: true;
}
