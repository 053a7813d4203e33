import type { FaultKind } from '../fault-kind.ts';
import type { OperationName } from '../operation-name.ts';

/** One request to the API as it came in, and what became of it: for tests that check whole conversations. */
export interface RequestRecord {
  requestId: string;
  /** undefined where method and path are no operation of the contract. */
  operation: OperationName | undefined;
  method: string;
  /** As on the wire, with the prefix, without the query. */
  path: string;
  /** Without the question mark; '' where there is none. */
  query: string;
  /** Names in lower case; the key is among them. */
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request's body as text; '' where there is none. */
  body: string;
  /** undefined where no answer was sent. */
  status: number | undefined;
  /** The answer's whole body as text, also where it was cut on the wire; '' where no answer was sent. */
  answer: string;
  fault: FaultKind | undefined;
}
