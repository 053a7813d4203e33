/** Screen 3: the field of each column. The engine proposes fields; a person checks and corrects them. */
import { message } from '../../../messages/message.ts';
import type { Message } from '../../../messages/params.ts';
import { foreignCollections } from '../../../import/stage/infer-mapping.ts';
import {
  correctionSteps,
  type JobColumn,
  jobColumns,
  type JobRow,
  jobRows,
} from '../../../import/correction/job-rows.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { ColumnGuess } from '../../../mapping/infer/column-guess.ts';
import { inferColumns, SAMPLE_ROWS } from '../../../mapping/infer/infer-columns.ts';
import { piecesOf } from '../../../mapping/casts/quantity.ts';
import { isQuantityHeader } from '../../../mapping/columns/columns.ts';
import { CUSTOM_PREFIX } from '../../../mapping/custom-prefix.ts';
import { TARGETS } from '../../../mapping/targets.ts';
import { yesOrNo } from '../../../mapping/casts/yes-no.ts';
import { mendAndGo, nextScreen, refusalOf } from '../../jobs/mend.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { uploadOf } from '../plan/plan.ts';
import { collectionsOf } from '../file/collection.ts';
import { TEXTS } from './texts.ts';
import { type ColumnShown, columnsView } from './view.ts';

const ROWS_SAMPLED = 500;
const SAMPLES = 5;
/** Ids are matched during the import, so they cannot be mapped again later. */
const CHOICES = TARGETS.filter((target) => target !== 'id' && target !== 'collection_id');

export function columnsScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/columns', async (c) => {
    const { visitor, workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const { columns, sampled } = await shownColumns(c, job);
    const data = {
      job,
      upload: (await uploadOf(job.id, ui))?.id,
      columns,
      sampled,
      choices: CHOICES,
      refusal: refusalOf(workspace, job.id),
    };
    return render(c, { title: TEXTS[visitor.language].title, body: columnsView(visitor, data), wide: true });
  });
  app.post('/job/:id/columns', async (c) => {
    const { workspace, form } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const { columns } = await shownColumns(c, job);
    const chosen = columns.map(({ letter, choice, question }) => {
      const answer = form.get(`answer-${letter}`);
      if (question !== undefined && answer === 'yes') return question.use;
      const use = form.get(`use-${letter}`) ?? choice;
      return answer === 'no' && use === choice && use === question?.use ? 'keep' : use;
    });
    const changes = columns.flatMap((column, at): Correction[] => {
      const choice = chosen[at] ?? column.choice;
      return choice === column.choice ? [] : [changeOf(column.name, choice)];
    });
    if (changes.length === 0) return c.redirect(await nextScreen(job, workspace), 303);
    // Columns that give up a field come first, so that the field can move to another column.
    const order = (change: Correction) => (change.type === 'map' ? 1 : 0);
    changes.sort((a, b) => order(a) - order(b));
    const tags = columns.filter((_, at) => chosen[at] === 'tag').map(({ name }) => name);
    if (tags.length > 0) changes.push({ type: 'option', field: 'tags', option: 'ticked', value: tags });
    return mendAndGo(c, job, { changes }, `/job/${job.id}/columns/next`);
  });
  app.get('/job/:id/columns/next', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const refused = refusalOf(workspace, job.id) !== undefined;
    return c.redirect(refused ? `/job/${job.id}/columns` : await nextScreen(job, workspace), 303);
  });
}

function changeOf(column: string, chosen: string): Correction {
  if (chosen === 'ignore' || chosen === 'tag') return { type: 'ignore', column };
  if (chosen === 'keep') return { type: 'keep', column };
  return { type: 'map', field: chosen, column };
}

/** The guesses from names and values alone. */
function guessed(
  { mode, request: { match } }: Pick<JobRecord, 'mode' | 'request'>,
  columns: readonly JobColumn[],
  rows: readonly JobRow[],
  indexes: ReadonlyMap<string, number>,
): Map<string, ColumnGuess> {
  const places = columns.map(({ letter }) => indexes.get(letter) ?? -1);
  const sample = rows.slice(0, SAMPLE_ROWS).map(({ cells }) => places.map((place) => cells[place] ?? ''));
  const letters = columns.map(({ letter }) => letter);
  const headers = columns.map(({ header }) => header);
  const inferred = inferColumns(
    { headers, letters, format: 'csv', map: {}, defaults: {}, mode, match },
    sample,
  );
  return new Map(inferred.columns.map((guess) => [guess.letter, guess]));
}

/** The reason for a column's field, which a person or a template may have set. */
function whyOf(
  guess: ColumnGuess | undefined,
  target: string | undefined,
  now: Message,
): Pick<ColumnShown, 'confidence' | 'reason'> {
  if (guess?.target !== undefined && guess.target === target)
    return { confidence: guess.confidence, reason: guess.reason };
  return { confidence: undefined, reason: now.code === 'from_template' ? undefined : now };
}

/** The likely field of a column that nobody has decided about; it is preselected, with its reason. */
function proposalOf(guess: ColumnGuess | undefined, used: ReadonlySet<string>): string | undefined {
  const { target, confidence, ticked } = guess ?? {};
  if (target === undefined || ticked === true || used.has(target) || !CHOICES.some((each) => each === target))
    return undefined;
  return confidence === 'likely' || (confidence === 'guess' && target === 'estimated_value')
    ? target
    : undefined;
}

async function shownColumns(
  c: UiContext,
  { id: job, ...record }: JobRecord,
): Promise<{ columns: ColumnShown[]; sampled: number }> {
  const { ledger } = c.var.workspace;
  const { collection } = record.request;
  const all = await jobColumns(job, ledger);
  // Sheets of one job have the same columns: the first one's are shown.
  const columns = all.filter(({ sheet, header }) => sheet === all[0]?.sheet && !header.startsWith('_'));
  const { rows } = await jobRows(job, ledger, { limit: ROWS_SAMPLED });
  const indexes = new Map(
    all.filter(({ sheet }) => sheet === all[0]?.sheet).map(({ letter }, index) => [letter, index]),
  );
  const valid = rows.filter(({ state }) => state !== 'invalid');
  const guesses = guessed(record, columns, rows, indexes);
  const used = new Set(columns.flatMap(({ target }) => target ?? []));
  const asksCollection = [...guesses.values()].some(({ target }) => target === 'collection');
  const collections =
    asksCollection && collection !== undefined ? await collectionsOf(c.var.workspace) : undefined;
  const steps = await correctionSteps(job, ledger);
  const decided = new Set(
    steps.flatMap(({ changes }) => changes.flatMap((each) => ('column' in each ? (each.column ?? []) : []))),
  );
  return {
    sampled: rows.length,
    columns: columns.map(({ header, letter, target, reason: now }): ColumnShown => {
      const guess = guesses.get(letter);
      const isOne = columns.filter((other) => other.header === header).length === 1;
      const name = header !== '' && isOne ? header : letter;
      // True for a column that is kept under its own name and that no template maps.
      const texts = rows
        .map(({ cells }) => cells[indexes.get(letter) ?? -1] ?? '')
        .filter((text) => text !== '');
      const foreign =
        guess?.target === 'collection' && collection !== undefined && collections !== undefined
          ? foreignCollections(header, texts, collection, collections)
          : undefined;
      const pieces = isQuantityHeader(header)
        ? piecesOf(valid.map(({ cells }) => cells[indexes.get(letter) ?? -1] ?? ''))
        : undefined;
      const isOpen = target === CUSTOM_PREFIX + header && !decided.has(name) && foreign === undefined;
      const proposed = isOpen ? proposalOf(guess, used) : undefined;
      if (proposed !== undefined) used.add(proposed);
      const { confidence, reason } = whyOf(guess, proposed ?? target, now);
      return {
        header,
        letter,
        name,
        proposed,
        question:
          foreign !== undefined
            ? { use: 'collection', about: message('choose_collections', foreign) }
            : pieces && { use: 'quantity', about: pieces },
        samples: [...new Set(texts)].slice(0, SAMPLES),
        filled: rows.length === 0 ? 0 : texts.length / rows.length,
        yesNo: texts.length > 0 && texts.every((text) => yesOrNo(text) !== undefined),
        choice:
          now.code === 'template_ticked'
            ? 'tag'
            : target === undefined
              ? 'ignore'
              : target.startsWith(CUSTOM_PREFIX)
                ? 'keep'
                : target,
        reason,
        confidence,
      };
    }),
  };
}
