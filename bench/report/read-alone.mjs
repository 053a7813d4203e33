/** What a report needs before it has all its figures: the whole list, read through the library. */
import { open } from '../../dist/index.js';

const { SHELFLIFT_API_URL: apiUrl, SHELFLIFT_API_KEY: key, SHELFLIFT_STORE: store } = process.env;
const shelf = await open({ apiUrl, key, store });
for await (const { id } of shelf.items()) {
  process.stdout.write(`${id}\n`);
  break;
}
await shelf.close();
