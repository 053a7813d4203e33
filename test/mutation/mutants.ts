/** All mutants of a source at once: each is switched on by its name while the tests run. */
import ts from 'typescript-6';

export interface Mutant {
  /** Place and kind: `12:7 && → ||`. */
  name: string;
  line: number;
  /** The text that it replaces, or that it takes away. */
  text: string;
}

/** What replaces an operator; `undefined` of `a ?? b` is never a. */
const OPERATORS: Partial<Record<ts.SyntaxKind, string[]>> = {
  [ts.SyntaxKind.LessThanToken]: ['<=', '>='],
  [ts.SyntaxKind.LessThanEqualsToken]: ['<', '>'],
  [ts.SyntaxKind.GreaterThanToken]: ['>=', '<='],
  [ts.SyntaxKind.GreaterThanEqualsToken]: ['>', '<'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken]: ['!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken]: ['==='],
  [ts.SyntaxKind.AmpersandAmpersandToken]: ['||'],
  [ts.SyntaxKind.BarBarToken]: ['&&'],
  [ts.SyntaxKind.QuestionQuestionToken]: ['&&'],
  [ts.SyntaxKind.PlusToken]: ['-'],
  [ts.SyntaxKind.MinusToken]: ['+'],
  [ts.SyntaxKind.AsteriskToken]: ['/'],
  [ts.SyntaxKind.SlashToken]: ['*'],
  [ts.SyntaxKind.PercentToken]: ['*'],
  [ts.SyntaxKind.PlusEqualsToken]: ['-='],
  [ts.SyntaxKind.MinusEqualsToken]: ['+='],
  [ts.SyntaxKind.AsteriskEqualsToken]: ['/='],
  [ts.SyntaxKind.SlashEqualsToken]: ['*='],
};

/** `slice` of a function is a copy of all. */
const METHODS: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  filter: 'slice',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  floor: 'ceil',
  ceil: 'floor',
};

/** @param file its name in the report, part of each mutant's name */
export function mutate(file: string, source: string): { text: string; mutants: Mutant[] } {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];

  /** The test of a new mutant, as source text. */
  function mutant(node: ts.Node, what: string): string {
    const start = node.getStart();
    const { line, character } = tree.getLineAndCharacterOfPosition(start);
    const name = `${file}:${line + 1}:${character + 1} ${what}`;
    mutants.push({ name, line: line + 1, text: node.getText().replaceAll(/\s+/g, ' ').slice(0, 100) });
    return `mutant(firstMutant + ${mutants.length - 1})`;
  }

  function text(node: ts.Node): string {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      return node.getText();
    const inner = within(node);
    if (ts.isExpression(node)) return expression(node, inner);
    if (ts.isExpressionStatement(node) && !isSuper(node.expression))
      return `{ if (!${mutant(node, 'statement removed')}) { ${inner} } }`;
    if (ts.isThrowStatement(node)) return `{ if (!${mutant(node, 'throw removed')}) { ${inner} } }`;
    if (ts.isBreakOrContinueStatement(node) && !ts.isCaseClause(node.parent))
      return `{ if (!${mutant(node, 'jump removed')}) { ${inner} } }`;
    return inner;
  }

  function expression(node: ts.Expression, inner: string): string {
    const { parent } = node;
    if (isCondition(node)) {
      const isLoop = !ts.isIfStatement(parent) && !ts.isConditionalExpression(parent);
      const never = `${mutant(node, '→ false')} ? false : (${inner})`;
      return isLoop ? `(${never})` : `(${mutant(node, '→ true')} ? true : ${never})`;
    }
    if (
      (ts.isReturnStatement(parent) || (ts.isArrowFunction(parent) && parent.body === node)) &&
      !(ts.isIdentifier(node) && node.text === 'undefined')
    )
      return `(${mutant(node, '→ undefined')} ? undefined : (${mutated(node, inner)}))`;
    return mutated(node, inner);
  }

  function mutated(node: ts.Expression, inner: string): string {
    if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
      return ts.isExpressionStatement(node.parent)
        ? inner
        : `(${mutant(node, 'negated')} ? !(${inner}) : ${inner})`;
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
      return `(${mutant(node, '! removed')} ? ${node.operand.getText()} : ${inner})`;
    if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.MinusToken)
      return `(${mutant(node, '- removed')} ? ${node.operand.getText()} : ${inner})`;
    if (!ts.isBinaryExpression(node) || isText(node)) return inner;
    const [left, right] = [node.left.getText(), node.right.getText()];
    return (OPERATORS[node.operatorToken.kind] ?? []).reduce((so, to) => {
      // An operand may be an expression that does not go together with the new operator.
      const other = isAssignment(node.operatorToken.kind)
        ? `${left} ${to} ${right}`
        : `(${left}) ${to} (${right})`;
      return `(${mutant(node, `${node.operatorToken.getText()} → ${to}`)} ? (${other}) : ${so})`;
    }, inner);
  }

  /** The text of a node, with the mutants of what it consists of. */
  function within(node: ts.Node): string {
    if (
      ts.isPropertyAccessExpression(node) &&
      ts.isCallExpression(node.parent) &&
      node.parent.expression === node
    ) {
      const { name, expression: object } = node;
      const other = METHODS[name.text];
      if (other !== undefined && Object.hasOwn(METHODS, name.text)) {
        const dot = node.questionDotToken === undefined ? '' : '?.';
        const choice = `${mutant(name, `${name.text} → ${other}`)} ? '${other}' : '${name.text}'`;
        return `${text(object)}${dot}[${choice}]`;
      }
    }
    let result = '';
    let at = node.getStart();
    ts.forEachChild(node, (child) => {
      if (child.getStart() < at) return;
      result += source.slice(at, child.getStart()) + text(child);
      at = child.getEnd();
    });
    return result + source.slice(at, node.getEnd());
  }

  const start = tree.getFullText().slice(0, tree.getStart());
  const changed = within(tree);
  // `var`, because modules that import each other may call a function of one that has not begun.
  const names = JSON.stringify(mutants.map(({ name }) => name));
  return { text: `${start}var firstMutant = addMutants(${names});${changed}`, mutants };
}

function isCondition(node: ts.Expression): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}

function isSuper(node: ts.Expression): boolean {
  return ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
}

function isText({ left, right }: ts.BinaryExpression): boolean {
  return [left, right].some((side) => ts.isStringLiteralLike(side) || ts.isTemplateExpression(side));
}

function isAssignment(operator: ts.SyntaxKind): boolean {
  return operator >= ts.SyntaxKind.FirstAssignment && operator <= ts.SyntaxKind.LastAssignment;
}
