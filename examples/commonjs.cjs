// @ts-check
/** From CommonJS: `require` works, and `open` is awaited inside a function. */
const { open } = require('shelflift');
const { startSandbox } = require('shelflift/sandbox');

async function main() {
  const sandbox = await startSandbox({ seed: 7 });
  const shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
  try {
    let count = 0;
    for await (const item of shelf.items()) count += item.name === '' ? 0 : 1;
    console.log('items', count);
  } finally {
    await shelf.close();
    await sandbox.close();
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
