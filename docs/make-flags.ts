/** Writes src/cli/flags.generated.ts from the options' schemas: `npm run docs:flags`. A test holds the two together. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { BLOCKS, COMMANDS } from '../src/cli/command-options.ts';
import type { FlagSpec } from '../src/cli/flags.ts';
import { type Flag, flagOf, GROUPS } from '../src/base/option.ts';

/** The whole of flags.generated.ts. */
export function flagsFile(): string {
  const used = new Set(['global', ...Object.values(COMMANDS).flat()]);
  const blocks = Object.entries(BLOCKS).filter(([name]) => used.has(name));
  return [
    '/** Made by `npm run docs:flags` from the schemas in command-options.ts: change those. --help reads it without zod. */',
    ...blocks.flatMap(([name, schema]) => [
      `const ${name} = {`,
      ...blockLines(name, schema),
      '} as const;',
      '',
    ]),
    `export const GROUPS = ${JSON.stringify(GROUPS)} as const;`,
    'export const GLOBAL_FLAGS = global;',
    'export const FLAGS = {',
    ...Object.entries(COMMANDS).map(
      ([command, names]) => `  '${command}': { ${names.map((name) => `...${name}`).join(', ')} },`,
    ),
    '} as const;',
    '',
  ].join('\n');
}

function blockLines(name: string, schema: z.ZodObject): string[] {
  return Object.entries(schema.shape)
    .map(([key, option]) => flagOf(key, option as z.ZodType))
    .filter((flag) => flag !== undefined)
    .filter(({ meta }) => (meta.group === 'Global') === (name === 'global'))
    .map((flag) => `  '${flag.name}': ${JSON.stringify(specOf(flag))},`);
}

function specOf({ meta, schema, required, name }: Flag): FlagSpec {
  const choices = meta.choices ?? (schema instanceof z.ZodEnum ? (schema.options as string[]) : undefined);
  const described = schema.description;
  if (described === undefined) throw new Error(`--${name} has no description`);
  const input = schema instanceof z.ZodPipe ? schema.in : schema;
  const inputs = input instanceof z.ZodEnum ? (input.options as string[]) : undefined;
  const words = choices ?? inputs;
  return {
    ...(words === undefined ? { type: typeOf(schema) } : { choices: words }),
    describe: described,
    group: meta.group ?? 'Options',
    ...(meta.positional === true ? { positional: true } : {}),
    ...(schema instanceof z.ZodArray ? { array: true } : {}),
    ...(meta.repeatable === true || meta.pairs !== undefined ? { repeatable: true } : {}),
    ...(required ? { demandOption: true } : {}),
    ...(meta.default === undefined ? {} : { default: meta.default }),
  };
}

function typeOf(schema: z.ZodType): 'string' | 'number' | 'boolean' {
  if (schema instanceof z.ZodNumber) return 'number';
  return schema instanceof z.ZodBoolean ? 'boolean' : 'string';
}

if (import.meta.main) writeFileSync(new URL('../src/cli/flags.generated.ts', import.meta.url), flagsFile());
