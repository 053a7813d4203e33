import { existsSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import type { RememberedReading } from '../../import/stage/recipes.ts';
import { print, printJson } from '../show/output.ts';
import { english, message } from '../../messages/message.ts';
import { say } from '../show/say.ts';
import { table } from '../show/words.ts';
import { check } from './template/check.ts';
import { infer } from './template/infer.ts';
import { newForm } from './template/new.ts';

export const templateCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(list)
      .command(show)
      .command(infer)
      .command(check)
      .command(newForm)
      .command(forget)
      .demandCommand(1, 'Name what to do with templates: list, show, infer, check, new or forget.')
      .strict(),
  handler: () => undefined,
};

const list: CommandModule<object, GlobalFlags> = {
  command: 'list',
  describe: 'List the import templates and export layouts that come with shelflift, and what it remembers.',
  builder: (yargs) => yargs.example(examples({ '$0 template list': 'their names and purposes' })),
  handler: async (flags) => {
    const { listTemplates } = await import('../../mapping/template/load-template.ts');
    const { listLayouts } = await import('../../export/layout/load-layout.ts');
    const named = ({ name, description }: ReturnType<typeof listLayouts>[number]) => ({ name, description });
    const [templates, layouts] = [listTemplates().map(named), listLayouts().map(named)];
    const remembered = await readingsOf(flags);
    const lines = (entries: typeof templates) =>
      table(entries.map(({ name, description }) => [`  ${name}`, say(description)]));
    const inEnglish = (entries: typeof templates) =>
      entries.map(({ name, description }) => ({ name, description: english(description) }));
    if (flags.json === true)
      printJson({ templates: inEnglish(templates), layouts: inEnglish(layouts), remembered });
    else {
      print(
        `import --template:\n${lines(templates)}\n\nexport items|listings --template:\n${lines(layouts)}`,
      );
      for (const [kind, title] of REMEMBERED) {
        const some = remembered.filter((each) => each.kind === kind);
        if (some.length > 0) print(`\n${say(title)}\n${rememberedTable(some)}`);
      }
    }
  },
};

/** Listing templates neither needs nor creates a store. */
async function readingsOf(flags: GlobalFlags): Promise<RememberedReading[]> {
  const { storeOf } = await import('../../account/store-of.ts');
  const store = storeOf(flags, process.env);
  if (!store.includes('://') && !existsSync(store)) return [];
  const { withLedger } = await import('../session.ts');
  const { rememberedReadings } = await import('../../import/stage/recipes.ts');
  return withLedger(flags, (ledger) => rememberedReadings(ledger));
}

const REMEMBERED = [
  ['recipe', message('verbatim', { text: 'import --recipe:' })],
  ['answers', message('answers_for_headers', { command: 'template forget NAME' })],
] as const;

function rememberedTable(readings: readonly RememberedReading[]): string {
  return table(
    readings.map(({ name, at, file, fields }) => [`  ${name}`, at.slice(0, 10), file, fields.join(', ')]),
  );
}

const forget: CommandModule<object, FlagsOf<'template forget'>> = {
  command: 'forget <name>',
  describe: 'Forget a recipe, or the answers for files with certain headers.',
  builder: (yargs) =>
    addFlags(yargs, 'template forget').example(
      examples({ '$0 template forget trains': 'forget a saved recipe' }),
    ),
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { forgetReading } = await import('../../import/stage/recipes.ts');
    await withLedger(flags, (ledger) => forgetReading(flags.name, ledger));
    if (flags.json === true) printJson({ forgotten: flags.name });
    else print(say(message('is_forgotten', { name: flags.name })));
  },
};

const show: CommandModule<object, FlagsOf<'template show'>> = {
  command: 'show <name>',
  describe: 'Print a template or layout as YAML: copy it, change it, and pass its path.',
  builder: (yargs) =>
    addFlags(yargs, 'template show').example(
      examples({
        '$0 template show action-figures > my.yaml': 'a copy to change',
        '$0 template show insurance > my-layout.yaml': 'a copy of an export layout',
      }),
    ),
  handler: async (flags) => {
    const { listLayouts, loadLayout } = await import('../../export/layout/load-layout.ts');
    const layout = listLayouts().find(({ name }) => name === flags.name);
    if (layout !== undefined) {
      if (flags.json === true) printJson(await loadLayout(flags.name));
      else print(layout.text.trimEnd());
      return;
    }
    const { loadTemplate, templateText } = await import('../../mapping/template/load-template.ts');
    // Parse it first, so that only a valid template is shown.
    const template = await loadTemplate(flags.name);
    if (flags.json === true) printJson(template);
    else print((await templateText(flags.name)).trimEnd());
  },
};
