/**
 * `npm run docs:api` writes docs/api.md: everything that the package exports, as a reader of the types sees it, so that a
 * change of the surface is a change of a file. With `--check` it writes nothing and fails if the file is out of date.
 *
 * In both cases it fails for an export or member without a docblock, and for a type that an exported signature names and no
 * entry exports.
 *
 * It uses TypeScript 6, the last version with this API.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript-6';

const root = join(import.meta.dirname, '..');
const PAGE = join(root, 'docs/api.md');
const ENTRIES = {
  shelflift: 'src/index.ts',
  'shelflift/client': 'src/client.ts',
  'shelflift/sandbox': 'src/sandbox.ts',
};

const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile.bind(ts.sys)) as {
  config: { compilerOptions: object };
};
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
const files = Object.values(ENTRIES).map((file) => join(root, file));
const program = ts.createProgram(files, { ...options, noEmit: true });
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

interface Export {
  name: string;
  declaration: ts.Declaration;
}

const byEntry = Object.entries(ENTRIES).map(([entry, file]) => ({
  entry,
  exports: exportsOf(join(root, file)),
}));
const exported = new Set(byEntry.flatMap(({ exports }) => exports.map(({ declaration }) => declaration)));
const problems = new Set<string>();
for (const { exports } of byEntry) for (const each of exports) examine(each);

const page = [
  '# What is exported',
  '',
  'Written by `npm run docs:api`. Meanings, units and errors are in the docblocks, which an editor shows; [library.md](library.md) explains the whole.',
  ...byEntry.flatMap(({ entry, exports }) => [
    '',
    `## ${entry}`,
    '',
    '```ts',
    exports.map(shown).join('\n\n'),
    '```',
  ]),
  '',
].join('\n');

if (problems.size > 0) {
  console.error([...problems].sort().join('\n'));
  console.error(`${problems.size} problems`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
else if (readFileSync(PAGE, 'utf8') !== page) {
  console.error('docs/api.md is out of date. Look at what changed, and write it: npm run docs:api');
  process.exitCode = 1;
}

function exportsOf(file: string): Export[] {
  const source = program.getSourceFile(file);
  const symbol = source === undefined ? undefined : checker.getSymbolAtLocation(source);
  if (symbol === undefined) throw new Error(`${file} is no module`);
  return checker
    .getExportsOfModule(symbol)
    .flatMap((each) => {
      const { declarations = [] } = resolved(each);
      return declarations.map((declaration) => ({ name: each.name, declaration }));
    })
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function resolved(symbol: ts.Symbol): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** Notes what is wrong with a declaration and its members. */
function examine({ name, declaration }: Export): void {
  const documented = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  if (!hasDoc(documented) && !isTypeOfValue(declaration)) note(declaration, name);
  for (const member of membersOf(declaration)) {
    const { name: key } = member;
    if (key === undefined || hasDoc(member)) continue;
    if (!isForbidden(member) && !isOverload(member) && !isTag(member))
      note(member, `${name}.${key.getText()}`);
  }
  visit(declaration);
}

function note(node: ts.Node, name: string): void {
  problems.add(`${placeOf(node)}: ${name} has no docblock`);
}

function hasDoc(node: ts.Node): boolean {
  return ts.getJSDocCommentsAndTags(node).some((doc) => ts.isJSDoc(doc));
}

/** The type of an exported value of the same name, which is documented there: an editor shows both together. */
function isTypeOfValue(declaration: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(declaration)?.getText();
  const isValue = (other: ts.Declaration) => ts.isVariableDeclaration(other) && other.name.getText() === name;
  return ts.isTypeAliasDeclaration(declaration) && [...exported].some(isValue);
}

/** What tells the members of a union apart: its values say what they are. */
function isTag(member: ts.Node): boolean {
  if (!ts.isPropertySignature(member) || !['type', 'as'].includes(member.name.getText())) return false;
  const { type } = member;
  return type !== undefined && (ts.isLiteralTypeNode(type) || ts.isUnionTypeNode(type));
}

/** A member that says only that it may not be given. */
function isForbidden(member: ts.Node): boolean {
  return ts.isPropertySignature(member) && member.type?.kind === ts.SyntaxKind.UndefinedKeyword;
}

/** A further signature of a method, whose first has the docblock. */
function isOverload(member: ts.Node): boolean {
  if (!ts.isMethodSignature(member) || !ts.isInterfaceDeclaration(member.parent)) return false;
  const isSame = (other: ts.TypeElement) => other.name?.getText() === member.name.getText();
  return member.parent.members.find(isSame) !== member;
}

/** Its members, those of the objects that its types have in them, and those of a constant object. */
function membersOf(declaration: ts.Declaration): ts.NamedDeclaration[] {
  const members: ts.NamedDeclaration[] = [];
  const collect = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isTypeParameterDeclaration(node)) return;
    if (ts.isClassElement(node) && !isPublic(node)) return;
    if (ts.isTypeElement(node) || (ts.isClassElement(node) && !ts.isConstructorDeclaration(node)))
      members.push(node);
    ts.forEachChild(node, collect);
  };
  if (!ts.isVariableDeclaration(declaration)) collect(declaration);
  else if (declaration.initializer !== undefined && ts.isAsExpression(declaration.initializer)) {
    const { expression } = declaration.initializer;
    if (ts.isObjectLiteralExpression(expression)) members.push(...expression.properties);
  }
  return members;
}

function isPublic(member: ts.ClassElement): boolean {
  const { name } = member;
  if (name === undefined || ts.isPrivateIdentifier(name)) return false;
  return !(ts.getCombinedModifierFlags(member) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected));
}

/** Notes types of ours that a signature names and that are not exported. */
function visit(node: ts.Node): void {
  if (ts.isBlock(node) || (ts.isClassElement(node) && !isPublic(node) && !ts.isConstructorDeclaration(node)))
    return;
  if (ts.isVariableDeclaration(node) && node.type === undefined) return;
  const name = ts.isTypeReferenceNode(node)
    ? node.typeName
    : ts.isExpressionWithTypeArguments(node)
      ? node.expression
      : undefined;
  const symbol = name === undefined ? undefined : checker.getSymbolAtLocation(name);
  const [declaration] = symbol === undefined ? [] : (resolved(symbol).declarations ?? []);
  if (
    declaration !== undefined &&
    !ts.isTypeParameterDeclaration(declaration) &&
    declaration.getSourceFile().fileName.startsWith(join(root, 'src')) &&
    !exported.has(declaration)
  )
    problems.add(`${placeOf(node)}: ${name?.getText() ?? ''} is named here, and not exported`);
  ts.forEachChild(node, visit);
}

function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  return `${relative(root, source.fileName)}:${line + 1}`;
}

/** A declaration without bodies and comments. */
function shown({ name, declaration }: Export): string {
  if (ts.isVariableDeclaration(declaration))
    return `const ${name}: ${checker.typeToString(checker.getTypeAtLocation(declaration), undefined, ts.TypeFormatFlags.NoTruncation)}`;
  if (ts.isFunctionDeclaration(declaration)) {
    const signature = checker.getSignatureFromDeclaration(declaration);
    const text =
      signature === undefined
        ? ''
        : checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation);
    return `function ${name}${text}`;
  }
  if (ts.isClassDeclaration(declaration)) {
    const heritage = declaration.heritageClauses?.map((clause) => ` ${clause.getText()}`).join('') ?? '';
    const members = declaration.members.filter(isPublic).map((member) => {
      const key = (member.name as ts.Node).getText();
      const type = checker.typeToString(checker.getTypeAtLocation(member));
      return `  ${key}: ${type};`;
    });
    return [`class ${name}${heritage} {`, ...members, '}'].join('\n');
  }
  return printer
    .printNode(ts.EmitHint.Unspecified, declaration, declaration.getSourceFile())
    .replace(/^export /, '');
}
