import { readFileSync } from 'node:fs';
import type { CommandModule } from 'yargs';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
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
      .demandCommand(1, 'Name what to do with templates: list, show, infer, check or new.')
      .strict(),
  handler: () => undefined,
};

const list: CommandModule<object, GlobalFlags> = {
  command: 'list',
  describe: 'List the import templates and export layouts that come with shelflift.',
  builder: (yargs) => yargs.example(examples({ '$0 template list': 'their names, and what they are for' })),
  handler: async (flags) => {
    const { listTemplates } = await import('../../mapping/template/load-template.ts');
    const { listLayouts } = await import('../../export/layout/load-layout.ts');
    const [templates, layouts] = [await listTemplates(), await listLayouts()];
    const lines = (entries: typeof templates) =>
      table(entries.map(({ name, description }) => [`  ${name}`, description]));
    if (flags.json === true) printJson({ templates, layouts });
    else {
      print(
        `import --template:\n${lines(templates)}\n\nexport items|listings --template:\n${lines(layouts)}`,
      );
    }
  },
};

const show: CommandModule<object, FlagsOf<'template show'>> = {
  command: 'show <name>',
  describe: 'Print a template or layout as YAML: copy it, change it, and pass its path.',
  builder: (yargs) =>
    addFlags(yargs, 'template show').example(
      examples({
        '$0 template show action-figures > my.yaml': 'a copy to change',
        '$0 template show insurance > my-layout.yaml': 'the same of an export layout',
      }),
    ),
  handler: async (flags) => {
    const { listLayouts, loadLayout } = await import('../../export/layout/load-layout.ts');
    const layout = (await listLayouts()).find(({ name }) => name === flags.name);
    if (layout !== undefined) {
      if (flags.json === true) printJson(await loadLayout(flags.name));
      else print(readFileSync(layout.file, 'utf8').trimEnd());
      return;
    }
    const { loadTemplate, templateText } = await import('../../mapping/template/load-template.ts');
    // Parse it first, so that only a valid template is shown.
    const template = await loadTemplate(flags.name);
    if (flags.json === true) printJson(template);
    else print((await templateText(flags.name)).trimEnd());
  },
};
