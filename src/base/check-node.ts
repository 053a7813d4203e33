/** The first import of each entry of the library, because modules that load later may need a newer Node. */
import { unsuitable } from './needed-node.ts';

const reason = unsuitable(process.versions);
if (reason !== undefined) throw new Error(reason);
