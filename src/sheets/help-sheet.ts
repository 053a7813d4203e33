/** The sheet of our form that explains it: its lines are no items, however empty the form is. */
export const HELP_SHEET = 'How to fill this in';
