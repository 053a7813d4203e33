/**
 * Asks about the rows of a job that cannot be sent, and about blank cells that may be filled in, one question at a
 * time, and judges the rows again with the answers.
 */
import { unitOf } from '../base/counted.ts';
import { noteOf, warningOf } from '../import/job/events.ts';
import { message } from '../messages/message.ts';
import type { JobDeps } from '../import/job/deps.ts';
import type { ImportRequest, RunOptions } from '../import/job/options.ts';
import { jobOffers } from '../import/correction/job-rows.ts';
import { issuesOf } from '../import/results/issues.ts';
import {
  LATER,
  type CorrectionChoice,
  type CorrectionQuestion,
  correctionQuestions,
} from '../import/correction/questions.ts';
import { type CorrectionOutcome, correctAndReport } from '../import/correction/correct-job.ts';
import type { Dialogue } from './session.ts';
import { rememberAnswers, saveRecipe } from '../import/correction/save-reading.ts';
import type { JobOutcome } from '../import/results/summary.ts';
import { applyJob } from '../import/run.ts';
import { say } from './show/say.ts';
import { shellWord } from '../base/shell-word.ts';
import type { Correction } from '../mapping/template/change.ts';

/** Asks the questions about a staged job, and sends its rows once they are mended. */
export async function mendAndSend(
  staged: JobOutcome,
  {
    run,
    template,
    recipe,
    dryRun,
  }: Pick<ImportRequest, 'template' | 'recipe' | 'dryRun'> & { run: RunOptions },
  deps: JobDeps,
  dialogue: Dialogue,
): Promise<JobOutcome> {
  const { job, state } = staged.summary;
  if (state !== 'planned') return staged;
  const mended = await mendOnTerminal(job, run, deps, dialogue);
  if (mended !== undefined && template === undefined && recipe === undefined) {
    await rememberAnswers(job, deps.ledger);
    dialogue.say(say(message('answers_kept_for_headers', { command: 'shelflift template list' })));
  }
  const outcome = mended ?? staged;
  const { pending, invalid } = outcome.summary.rows;
  if (dryRun === true || pending === 0) return outcome;
  const areItems = unitOf(outcome.summary) === 'item';
  const question = message('ask_send_now', { number: pending, areItems, left: invalid });
  if (!(await dialogue.confirm(question))) return outcome;
  return applyJob(job, deps, { ...run, ...(invalid === 0 ? {} : { skipInvalid: true }) });
}

export async function saveAs(
  name: string,
  { summary }: JobOutcome,
  { ledger, emit }: JobDeps,
): Promise<void> {
  const replaced = await saveRecipe(name, summary.job, ledger);
  if (replaced !== undefined)
    emit(warningOf(message('recipe_replaced', { name, file: replaced.file, at: Date.parse(replaced.at) })));
  emit(noteOf(message('recipe_saved', { option: `--recipe ${shellWord(name)}` })));
}

/** After this many rounds, the answers do not lead to new questions. */
const MAX_ROUNDS = 5;

/**
 * @returns the job after the corrections; undefined if nothing was changed
 * @throws UsageError `no_answer` if the answers end: the answers given by then are not applied
 */
export async function mendOnTerminal(
  jobId: string,
  run: RunOptions,
  deps: JobDeps,
  dialogue: Dialogue,
): Promise<CorrectionOutcome | undefined> {
  let outcome: CorrectionOutcome | undefined;
  const asked = new Set<string>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const reasons = await issuesOf(jobId, deps.ledger);
    const questions = correctionQuestions(reasons, await jobOffers(jobId, deps.ledger)).filter(
      ({ text }) => !asked.has(say(text)),
    );
    for (const { text } of questions) asked.add(say(text));
    const changes = await answersTo(questions, dialogue);
    if (changes.length === 0) return outcome;
    outcome = await correctAndReport(jobId, { changes, run }, deps);
    const { invalid, pending } = outcome.summary.rows;
    const areItems = unitOf(outcome.summary) === 'item';
    dialogue.say(say(message('can_be_sent_now', { number: pending, areItems, left: invalid })));
  }
  return outcome;
}

async function answersTo(
  questions: readonly CorrectionQuestion[],
  dialogue: Dialogue,
): Promise<Correction[]> {
  const changes: Correction[] = [];
  const ended = new Set<string>();
  for (const [index, question] of questions.entries()) {
    if (ended.has(question.reason)) continue;
    const choice = await chosen(question, `${index + 1}/${questions.length}`, dialogue);
    if (choice.endsReason === true) ended.add(question.reason);
    changes.push(...choice.changes);
    const { asks } = choice;
    if (asks === undefined) continue;
    changes.push(...(await given(asks, dialogue)));
  }
  return changes;
}

/** An empty answer means to decide later. */
async function given({ what, changes }: NonNullable<CorrectionChoice['asks']>, dialogue: Dialogue) {
  for (;;) {
    const text = await dialogue.ask(`${say(what)}:`);
    const made = text === '' ? [] : changes(text);
    if (text === '' || made.length > 0) return made;
    dialogue.say(say(message('answer_not_usable', { text })));
  }
}

async function chosen({ text, choices }: CorrectionQuestion, place: string, dialogue: Dialogue) {
  const lines = choices.map(({ says }, index) => `\n  ${index + 1}  ${say(says)}`).join('');
  for (;;) {
    const answer = await dialogue.ask(
      `\n[${place}] ${say(text)}${lines}\n${say(message('choose_number_or_later', { choices: choices.length }))}`,
    );
    if (answer === '') return LATER;
    const choice = /^\d{1,3}$/.test(answer) ? choices[Number(answer) - 1] : undefined;
    if (choice !== undefined) return choice;
    dialogue.say(say(message('answer_with_number', { choices: choices.length })));
  }
}
