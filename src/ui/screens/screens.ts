/** All screens, in the order in which people meet them. */
import type { Ui, UiApp } from '../ui.ts';
import { automaticScreen } from './automatic/automatic.ts';
import { columnsScreen } from './columns/columns.ts';
import { connectScreen } from './connect/connect.ts';
import { duplicatesScreen } from './duplicates/duplicates.ts';
import { fileScreen } from './file/file.ts';
import { historyScreen } from './history/history.ts';
import { homeScreen } from './home/home.ts';
import { decide } from '../decide/decide.ts';
import { fillDown } from '../jobs/fill-down.ts';
import { itemScreen } from './item/item.ts';
import { mendScreen } from './mend/mend.ts';
import { planScreen } from './plan/plan.ts';
import { quitScreen } from './quit/quit.ts';
import { reportsScreen } from './reports/reports.ts';
import { resultScreen } from './result/result.ts';
import { sendingScreen } from './sending/sending.ts';
import { wordsScreen } from './words/words.ts';

export const SCREENS: readonly ((app: UiApp, ui: Ui) => void)[] = [
  connectScreen,
  homeScreen,
  fileScreen,
  columnsScreen,
  wordsScreen,
  fillDown,
  mendScreen,
  planScreen,
  decide,
  sendingScreen,
  resultScreen,
  historyScreen,
  itemScreen,
  duplicatesScreen,
  reportsScreen,
  automaticScreen,
  quitScreen,
];
