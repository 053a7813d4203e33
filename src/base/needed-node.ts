/** Which Node is needed. Only syntax that old versions can parse, so that they can say so. */

/** Why the program does not run here, a sentence; undefined where it does. */
export function unsuitable(versions: NodeJS.ProcessVersions): string | undefined {
  const { bun, deno, node } = versions;
  const isOther = bun !== undefined || deno !== undefined;
  if (!isOther && Number(node.split('.')[0]) >= 24) return undefined;
  const here = bun !== undefined ? 'Bun' : deno !== undefined ? 'Deno' : `Node ${node}`;
  return `shelflift needs Node 24 or newer, and this is ${here}.`;
}
