/** The history of an item: the origin of the value of each field. Opened from the rows of a job. */
import { explainItem } from '../../../import/history/explain-item.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { itemView } from './view.ts';

export function itemScreen(app: UiApp, ui: Ui): void {
  app.get('/item/:id', async (c) => {
    const { visitor, workspace } = c.var;
    const { ledger, client } = workspace;
    const explained = await explainItem(c.req.param('id'), { ledger, client, signal: ui.signal });
    const body = itemView(visitor, explained);
    return render(c, { title: TEXTS[visitor.language].title, body, menu: 'history' });
  });
}
