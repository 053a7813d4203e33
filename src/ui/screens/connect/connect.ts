/** Screen 0: the account, with doctor's checks as lights. The key is entered here, and is never shown. */
import { relative } from 'node:path';
import {
  checkProfileName,
  defaultProfile,
  keyFileFor,
  readConfig,
  saveProfile,
} from '../../../account/profiles.ts';
import { createClient } from '../../../api/client.ts';
import { configFolder } from '../../../base/config.ts';
import { checkApi } from '../../../doctor/check-api.ts';
import { checkDisk, checkPage, checkStore } from '../../../doctor/check-machine.ts';
import type { Finding } from '../../../doctor/check.ts';
import { ShelfliftError, UsageError } from '../../../base/errors.ts';
import { writeKeyFile } from '../../../base/key-file.ts';
import { plainError } from '../../engine/engine-text.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { connectView, type Entered, lights } from './view.ts';

export function connectScreen(app: UiApp, ui: Ui): void {
  app.get('/connect', (c) => show(c, ui));
  app.get('/connect/check', async (c) => {
    const { workspace, visitor } = c.var;
    if (workspace === undefined) return c.html('');
    const { apiUrl, key } = workspace.connection;
    const findings = await checkApi({ apiUrl, key, timeoutMs: ui.timeoutMs }, () => undefined);
    const disk = await checkDisk(workspace.store);
    const others = [disk, checkPage()].filter((finding) => finding !== undefined);
    findings.push(await checkStore(workspace.store), ...others);
    return c.html(lights(findings, visitor));
  });
  app.post('/connect/practice', async (c) => {
    await ui.accounts.choose({ sandbox: true });
    return c.redirect('/', 303);
  });
  app.post('/connect/use', async (c) => {
    await ui.accounts.choose({ profile: c.var.form.get('profile') ?? '' });
    return c.redirect('/', 303);
  });
  app.post('/connect/new', (c) => addAccount(c, ui));
}

function show(c: UiContext, ui: Ui, entered?: Entered): Response | Promise<Response> {
  const { visitor, workspace } = c.var;
  const t = TEXTS[visitor.language];
  const body = connectView(visitor, {
    account: workspace,
    profiles: ui.accounts.profiles(),
    ...(entered === undefined ? {} : { entered }),
  });
  return render(c, { title: t.title, body, menu: 'account' }, entered === undefined ? 200 : 422);
}

/** Checks the account first: one that does not work is not saved. */
async function addAccount(c: UiContext, ui: Ui): Promise<Response> {
  const { form, visitor } = c.var;
  const t = TEXTS[visitor.language];
  const address = (form.get('address') ?? '').trim();
  const key = (form.get('key') ?? '').trim();
  const name = (form.get('name') ?? '').trim() || 'main';
  const refuse = (message: string, findings: Finding[] = []) =>
    show(c, ui, { address, name, message, findings });
  if (address === '' || key === '') return refuse(t.missing);
  try {
    checkProfileName(name);
  } catch (error) {
    if (error instanceof UsageError) return refuse(t.badName);
    throw error;
  }
  const { environment } = ui;
  const config = readConfig(environment);
  if (Object.hasOwn(config.profiles, name)) return refuse(t.taken);
  let apiUrl: string;
  let findings: Finding[];
  try {
    await using client = createClient({ apiUrl: address, key });
    apiUrl = client.apiUrl;
    findings = await checkApi({ apiUrl, key, timeoutMs: ui.timeoutMs }, () => undefined);
  } catch (error) {
    if (error instanceof ShelfliftError) return refuse(plainError(error, visitor));
    throw error;
  }
  const blocking = ['address', 'tls', 'key'];
  if (findings.some(({ check, state }) => state === 'failed' && blocking.includes(check)))
    return refuse(t.notSaved, findings);
  const file = keyFileFor(name, environment);
  writeKeyFile(file, key);
  await saveProfile(environment, {
    profile: { name, value: { apiUrl, keyFile: relative(configFolder(environment), file) } },
    ...(defaultProfile(config) === undefined ? { useByDefault: name } : {}),
  });
  await ui.accounts.choose({ profile: name });
  return c.redirect('/connect', 303);
}
