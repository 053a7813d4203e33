/** Screen 2: a file is uploaded, and shown as it would be read. `Continue` reads all of it into a job, as a dry run. */
import { Readable } from 'node:stream';
import { ShelfliftError } from '../../../base/errors.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import { jobColumns } from '../../../import/correction/job-rows.ts';
import { correctJob } from '../../../import/correction/correct-job.ts';
import { isWorkbook, jobOfFile, readReturned } from '../../../import/correction/returned-workbook.ts';
import { isHeaderless } from '../../../import/stage/infer-mapping.ts';
import { withReadingOfJob } from '../../../import/stage/rejects-reading.ts';
import { resolveReference } from '../../../import/items/collections.ts';
import type { ImportEvent } from '../../../import/job/events.ts';
import type { Collection } from '../../../api/schemas.ts';
import type { JobRecord, Ledger } from '../../../ledger/ledger.ts';
import { SAMPLE_ROWS } from '../../../mapping/infer/infer-columns.ts';
import type { Message } from '../../../messages/params.ts';
import { FirstCells } from '../../../sheets/peek-rows.ts';
import type { SheetTable } from '../../../sheets/table.ts';
import { rememberedReadings } from '../../../import/stage/recipes.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import { newJobId } from '../../../import/job/job-id.ts';
import type { ImportRequest } from '../../../import/job/options.ts';
import { isDupesFile } from '../../../import/similar/write-duplicates.ts';
import { importFile } from '../../../import/run.ts';
import { listTemplates, NO_TEMPLATE } from '../../../mapping/template/load-template.ts';
import { refusedForm } from '../../guards/sessions.ts';
import { discardPlan } from '../../jobs/discard.ts';
import { mendAndGo } from '../../jobs/mend.ts';
import { progressEvents } from '../../jobs/progress.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import { readFileForm } from '../../multipart.ts';
import { problem } from '../../problem.ts';
import type { Choices, Spool, Upload } from '../../spool.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { collectionsOf, lastCollection, type OwnCollections, ownCollections } from './collection.ts';
import { type FirstRow, openOptions, previewFile } from './preview.ts';
import { TEXTS } from './texts.ts';
import { chooseView, fileView, readingView, RECIPE } from './view.ts';
import { defined } from '../../../base/defined.ts';

export function fileScreen(app: UiApp, ui: Ui): void {
  const { spool, passwords } = ui;
  app.get('/file', (c) => showChooser(c, c.req.query('do') === 'change'));
  app.post('/file', (c) => receive(c, spool));
  app.post('/file/paste', (c) => receivePasted(c, spool));
  app.get('/file/:id', async (c) => showFile(c, await spool.find(c.req.param('id')), ui));
  app.post('/file/:id/password', async (c) => {
    const upload = await spool.find(c.req.param('id'));
    passwords.give(spool.fileOf(upload), c.var.form.get('password') ?? '');
    return c.redirect(`/file/${upload.id}`, 303);
  });
  app.post('/file/:id/choices', async (c) => {
    await spool.update(c.req.param('id'), (upload) => ({
      ...upload,
      choices: choicesOf(c.var.form, upload.choices),
    }));
    return c.redirect(`/file/${c.req.param('id')}`, 303);
  });
  app.post('/file/:id/header', async (c) => {
    const headerRow = Number(c.var.form.get('row'));
    await spool.update(c.req.param('id'), (upload) =>
      Number.isSafeInteger(headerRow) && headerRow >= 0
        ? { ...upload, choices: { ...upload.choices, headerRow } }
        : upload,
    );
    return c.redirect(`/file/${c.req.param('id')}`, 303);
  });
  app.post('/file/:id/read', async (c) => {
    const upload = await spool.update(c.req.param('id'), (found) => ({
      ...found,
      choices: choicesOf(c.var.form, found.choices),
    }));
    const { workspace } = c.var;
    // A reading under way has the earlier choices.
    for (let run = workspace.run(upload.id); run?.isOver === false; run = workspace.run(upload.id)) {
      run.stop();
      await run.ended;
    }
    await startReading(upload.id, workspace, ui);
    return c.redirect(`/file/${upload.id}/reading`, 303);
  });
  app.get('/file/:id/reading', async (c) => {
    const upload = await spool.find(c.req.param('id'));
    const run = c.var.workspace.run(upload.id);
    if (run === undefined || run.isOver) return c.redirect(await afterReading(upload.id, c, spool), 303);
    const title = TEXTS[c.var.visitor.language].readingTitle(upload.name);
    return render(c, { title, body: readingView(c.var.visitor, upload, run) });
  });
  app.post('/file/:id/stop', async (c) => {
    const { id } = await spool.find(c.req.param('id'));
    const run = c.var.workspace.run(id);
    run?.stop();
    await run?.ended;
    return c.redirect(`/file/${id}`, 303);
  });
  progressEvents(app, ui, '/file/:id/events', (c, id) => afterReading(id, c, spool));
}

function showChooser(c: UiContext, isChange: boolean, message?: string): Response | Promise<Response> {
  const { visitor } = c.var;
  const t = TEXTS[visitor.language];
  const body = chooseView(visitor, isChange, message);
  return render(
    c,
    { title: isChange ? t.changeTitle : t.chooseTitle, body },
    message === undefined ? 200 : 422,
  );
}

/** The form's token comes before the file, so nothing of a forged upload is written. */
async function receive(c: UiContext, spool: Spool): Promise<Response> {
  const { visitor } = c.var;
  const body = c.req.raw.body;
  if (body === null) return showChooser(c, false, TEXTS[visitor.language].noFile);
  try {
    const form = await readFileForm(c.req.header('Content-Type'), body);
    const refused = refusedForm(visitor.session, form.fields.get('_token'));
    if (refused !== undefined) return await problem(c, refused, refused === 'badForm' ? 403 : 409);
    const isChange = form.fields.get('do') === 'change';
    if (form.name === '') return await showChooser(c, isChange, TEXTS[visitor.language].noFile);
    const expectedBytes = Number(c.req.header('Content-Length') ?? '0');
    const upload = await spool.add(form.name, form.content, { expectedBytes, choices: choicesFor(isChange) });
    const job = await jobOfUpload(spool.fileOf(upload), form.fields.get('job'), c.var.workspace);
    if (job !== undefined) return await takeReturned(c, job, upload, spool);
    return c.redirect(`/file/${upload.id}`, 303);
  } catch (error) {
    if (error instanceof ShelfliftError) return problem(c, error, error.code === 'disk_full' ? 507 : 422);
    throw error;
  }
}

/** The job that a workbook was marked for: from the workbook itself, or from the screen to which it was returned. */
async function jobOfUpload(
  file: string,
  named: string | undefined,
  workspace: Workspace,
): Promise<JobRecord | undefined> {
  if (named === undefined) return jobOfFile(file, workspace);
  return (await isWorkbook(file)) ? workspace.ledger.jobs.find(named) : undefined;
}

/** Takes the cells of a returned workbook as corrections of the job; the file itself is not kept. */
async function takeReturned(c: UiContext, job: JobRecord, upload: Upload, spool: Spool): Promise<Response> {
  const { ledger, filePassword: password } = c.var.workspace;
  try {
    const { changes, sent } = await readReturned(job, spool.fileOf(upload), ledger, { password });
    const query = new URLSearchParams({ corrected: String(changes.length), sent: String(sent) });
    const next = `/job/${job.id}/mend/next?${query.toString()}`;
    return changes.length === 0 ? c.redirect(next, 303) : await mendAndGo(c, job, { changes }, next);
  } finally {
    await spool.forgetJob(upload);
  }
}

/** A table from the clipboard. */
async function receivePasted(c: UiContext, spool: Spool): Promise<Response> {
  const { visitor, form } = c.var;
  const t = TEXTS[visitor.language];
  const isChange = form.get('do') === 'change';
  const table = form.get('table') ?? '';
  if (table.trim() === '') return showChooser(c, isChange, t.noFile);
  const content = Readable.from([Buffer.from(table)]);
  const upload = await spool.add(`${t.pastedName}.csv`, content, { choices: choicesFor(isChange) });
  return c.redirect(`/file/${upload.id}`, 303);
}

function choicesFor(isChange: boolean): Choices {
  return isChange ? { mode: 'update', match: ['id'] } : {};
}

async function showFile(c: UiContext, upload: Upload, { spool, passwords, signal }: Ui): Promise<Response> {
  const { visitor, workspace } = c.var;
  const run = workspace.run(upload.id);
  if (run !== undefined && !run.isOver) return c.redirect(`/file/${upload.id}/reading`, 303);
  const collections = await collectionsOf(workspace);
  const { ledger, client } = workspace;
  let own: OwnCollections | undefined;
  let readAs: Message | undefined;
  const preview = await previewFile(spool.fileOf(upload), upload.choices, passwords.of, async (table) => {
    const request = requestOf(upload, spool);
    readAs = await readingOf(request, table, collections, ledger);
    if (readAs !== undefined) {
      own = 'all';
      return undefined;
    }
    const first = await firstRow(request, table, ledger);
    own =
      first === undefined
        ? await ownCollections(request, table, collections, { ledger, client, signal })
        : 'none';
    return first;
  });
  const templates = listTemplates().map(({ name }) => name);
  const body = fileView(visitor, {
    upload,
    preview,
    templates,
    recipes: await recipesOf(workspace),
    collections,
    own: isWithoutCollection(run?.error) ? 'none' : own,
    readAs,
    last: await lastCollection(ledger),
    failure: isWithoutCollection(run?.error) ? undefined : run?.error,
  });
  return render(c, { title: TEXTS[visitor.language].title, body, wide: true });
}

/**
 * For a results or rejects file: whose settings its rows are read with, their collection included. Undefined for other
 * files, and if this account has no such collection.
 */
async function readingOf(
  request: ImportRequest,
  table: SheetTable,
  collections: readonly Collection[] | undefined,
  ledger: Ledger,
): Promise<Message | undefined> {
  let readAs: Message | undefined;
  const emit = (event: ImportEvent) => {
    if (event.type === 'note') readAs = event.said;
  };
  const { request: read } = await withReadingOfJob(request, table, 'import', { ledger, emit });
  const isKnown =
    read.collection === undefined ||
    collections === undefined ||
    'id' in resolveReference(read.collection, [...collections]);
  return isKnown ? readAs : undefined;
}

/** What an import does with the row taken for column names, and what it would ask on a terminal. */
async function firstRow(request: ImportRequest, table: SheetTable, ledger: Ledger): Promise<FirstRow> {
  const isAsked = request.template !== undefined && request.template !== NO_TEMPLATE;
  if (isAsked || request.recipe !== undefined) return undefined;
  let question: Message | undefined;
  const confirm = (_: string, said?: Message) => {
    question = said;
    return Promise.resolve(false);
  };
  const sample = new FirstCells(table, SAMPLE_ROWS);
  try {
    const isData = await isHeaderless(request, table, sample, undefined, { ledger, confirm });
    return isData ? 'data' : question;
  } finally {
    await sample.close();
  }
}

/**
 * A template or recipe decides which columns are read, so only the reading shows whether one of them names a
 * collection.
 */
function isWithoutCollection(error: Error | undefined): boolean {
  return error instanceof ShelfliftError && error.code === 'no_collection';
}

async function recipesOf({ ledger }: Workspace): Promise<string[]> {
  return (await rememberedReadings(ledger)).flatMap(({ kind, name }) => (kind === 'recipe' ? [name] : []));
}

function choicesOf(form: URLSearchParams, before: Choices): Choices {
  const choices: Choices = { ...before };
  const text = (key: string) => {
    const value = form.get(key)?.trim();
    return value === undefined ? undefined : value;
  };
  const readAs = text('read_as');
  if (readAs !== undefined) {
    delete choices.template;
    delete choices.recipe;
    if (readAs.startsWith(RECIPE)) choices.recipe = readAs.slice(RECIPE.length);
    else if (readAs !== '') choices.template = readAs;
  }
  for (const key of ['sheet', 'delimiter', 'encoding', 'collection', 'currency'] as const) {
    const value = text(key);
    if (value === '') delete choices[key];
    else if (value !== undefined) choices[key] = value;
  }
  const decimal = text('decimal');
  if (decimal === '') delete choices.decimal;
  else if (decimal === 'point' || decimal === 'comma') choices.decimal = decimal;
  // Another sheet or delimiter results in another table.
  if (choices.sheet !== before.sheet || choices.delimiter !== before.delimiter) delete choices.headerRow;
  const mode = text('mode');
  if (mode === 'create' || mode === 'update' || mode === 'upsert') choices.mode = mode;
  const match = text('match');
  const other = text('match_field');
  if (match === 'id' || match === 'name') choices.match = [match];
  else if (match === 'other' && other !== undefined && other !== '')
    choices.match = other.split(',').map((each) => each.trim());
  const known = text('known');
  if (known === 'new' || known === 'all') choices.known = known;
  return choices;
}

/** The file as an import reads it. */
function requestOf({ id, name, choices }: Upload, spool: Spool): ImportRequest {
  const { known = 'new', template, recipe, collection, mode, match } = choices;
  return {
    ...openOptions(choices),
    file: spool.fileOf({ id, name }),
    outDir: spool.folderOf({ id }),
    dryRun: true,
    force: known === 'all',
    run: known === 'all' ? { allRows: true } : { onlyNew: true },
    ...defined({ template, recipe, collection }),
    ...(mode === undefined ? {} : mode === 'create' ? { mode } : { mode, match: match ?? ['id'] }),
  };
}

export async function startReading(id: string, workspace: Workspace, { spool }: Ui): Promise<void> {
  await workspace.start(id, 'reading', async (deps) => {
    const upload = await spool.find(id);
    const outcome = await importFile({ ...requestOf(upload, spool), jobId: newJobId() }, deps);
    const { currency } = upload.choices;
    if (currency !== undefined) await setCurrency(outcome.summary.job, currency, deps);
    const { job } = outcome.summary;
    // The job that the file was read into before, with other choices.
    const before = upload.job === undefined || upload.job === job ? [] : [upload.job];
    const sent: string[] = [];
    for (const each of before) if (!(await discardPlan(each, workspace))) sent.push(each);
    await spool.update(upload.id, ({ earlier = [], ...found }) => ({
      ...found,
      job,
      earlier: [...earlier, ...sent],
      store: workspace.storeName,
    }));
    return outcome;
  });
}

/** Recorded as a correction, so that it can be undone. */
async function setCurrency(job: string, currency: string, deps: JobDeps): Promise<void> {
  const columns = await jobColumns(job, deps.ledger);
  if (!columns.some(({ target }) => target === 'estimated_value')) return;
  const changes: Correction[] = [
    { type: 'option', field: 'estimated_value', option: 'currency', value: currency.toLowerCase() },
  ];
  await correctJob(job, { changes }, deps);
}

async function afterReading(id: string, c: UiContext, spool: Spool): Promise<string> {
  const upload = await spool.find(id);
  const run = c.var.workspace.run(id);
  if (run?.error !== undefined || upload.job === undefined) return `/file/${id}`;
  const { source } = await c.var.workspace.ledger.jobs.find(upload.job);
  // A list of duplicates that shelflift wrote needs no screen of columns.
  return `/job/${upload.job}/${isDupesFile(source.headers) ? 'plan' : 'columns'}`;
}
