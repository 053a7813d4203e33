/** Defects that the sources once had, to be planted again in a copy of them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Defect {
  name: string;
  /** Text of a source file → what stands there instead. White space may differ; the file is found by the text. */
  edits: [from: string, to: string][];
  /** A violation that shows it. */
  shows: RegExp;
}

export const DEFECTS: Defect[] = [
  {
    name: 'the plan of an upsert is not confirmed in the lane',
    edits: [['if (!this.#confirmed) await this.#confirm();', '']],
    shows: /made key "\w+" again/,
  },
  {
    name: 'a cancel is forgotten when the job goes on',
    edits: [["const stays = row.state === 'cancelled' && reopen !== true;", 'const stays = false;']],
    shows: /sent a row at \d+, cancelled/,
  },
  {
    name: 'an update is not read again before it is sent',
    edits: [["if (row.action === 'create' || recheckMs === Number.POSITIVE_INFINITY ||", 'if (true ||']],
    shows: /somebody had made it/,
  },
  {
    name: 'a page that is read again is not compared',
    edits: [['return item === undefined || this.#recheck.judge(row, item);', 'return true;']],
    shows: /somebody had made it/,
  },
  {
    name: 'a list from which an item was removed counts as whole',
    edits: [["if (consistency === 'moved') throw new ListMovedError(explanation);", '']],
    shows: /made key "S\d+" again/,
  },
  {
    name: "a job frees another's lost create within its quiet period",
    edits: [
      [
        'return { missing: matches.missing.filter(isAsked),',
        "return { missing: matches.missing.filter(({ row }) => row.state === 'unknown'),",
      ],
      [
        "await commit( context, context.job.id, free.map(({ row: { ordinal, attempts } }) => ({ ordinal, from: 'unknown', attempts, to: 'planned' })), );",
        "for (const { jobId, row } of free) await commit(context, jobId, [{ ordinal: row.ordinal, from: 'unknown', to: 'planned' }]);",
      ],
      ['return quiet.others.endOf(jobId, row);', 'return 0;'],
      ['if (from !== undefined && MOVES_OF_OTHERS[from]?.includes(to) === true) return;', 'return;'],
    ],
    shows: /\d+ items for \d+ rows/,
  },
];

/** @throws Error where a text does not stand in exactly one place: the defect is then to be written anew */
export function plant({ name, edits }: Defect, folder: string): void {
  const files = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const [from, to] of edits) {
    const pattern = new RegExp(from.replace(/[$()*+.?[\]^{|}]/g, '\\$&').replace(/\s+/g, '\\s*'), 'g');
    const places = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(({ 0: found }) => ({ file, found })),
    );
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw new Error(`"${name}" cannot be planted: ${places.length} places in src/ have: ${from}`);
    writeFileSync(
      place.file,
      readFileSync(place.file, 'utf8').replace(place.found, () => to),
    );
  }
}
