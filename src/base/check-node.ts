/** The first import of each entry of the library: what loads after it may not exist in an older Node. */
import { unsuitable } from './needed-node.ts';

const reason = unsuitable(process.versions);
if (reason !== undefined) throw new Error(reason);
