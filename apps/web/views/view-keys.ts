import { isApple, type KeyHelp } from '../navigation/keys.ts';

/** What `?` shows of each view. Beside the views and not in them: it is loaded with the dialog, not with the first screen. */
export const viewKeys: Readonly<Record<string, readonly KeyHelp[]>> = {
  list: [
    { keys: ['↑', '↓'], does: 'Row before, row after' },
    { keys: ['Enter'], does: 'Open the row' },
    { keys: ['Space'], does: 'Select the row' },
    { keys: ['Tab'], does: 'Next cell while editing' },
    { keys: ['E'], does: 'Edit the row' },
    { keys: ['Alt', '↑', '↓'], does: 'Move the row, where rows have an order' },
    { keys: ['Esc'], does: 'Stop editing, clear the selection' },
  ],
  form: [
    { keys: [isApple ? '⌘' : 'Ctrl', 'S'], does: 'Save' },
    { keys: ['Alt', 'PageDown'], does: 'Next record' },
    { keys: ['Alt', 'PageUp'], does: 'Previous record' },
    { keys: ['Enter'], does: 'Lines: next row, and a new one after the last' },
    { keys: ['Tab'], does: 'Lines: next cell' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'D'], does: 'Lines: duplicate the line' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'Delete'], does: 'Lines: delete the line' },
    { keys: ['Alt', '↑', '↓'], does: 'Lines: move the line' },
  ],
  kanban: [
    { keys: ['↑', '↓', '←', '→'], does: 'Card and column before and after' },
    { keys: ['Enter'], does: 'Open the card' },
    { keys: ['Space'], does: 'Lift the card; arrows move it, Space drops it' },
    { keys: ['Esc'], does: 'Put the card back' },
    { keys: ['X'], does: 'Choose the card' },
    { keys: ['C'], does: 'New card in this column' },
  ],
  graph: [
    { keys: ['←', '→'], does: 'Group before and after' },
    { keys: ['↑', '↓'], does: 'Part above and below' },
    { keys: ['Enter'], does: 'Open the records of the part' },
    { keys: ['Shift', 'Enter'], does: 'Open the records of the whole group' },
    { keys: ['Esc'], does: 'Let go' },
  ],
  calendar: [
    { keys: ['T'], does: 'Today' },
    { keys: ['PageUp', 'PageDown'], does: 'Period before and after' },
    { keys: ['D', 'W', 'M', 'A'], does: 'Day, week, month, agenda' },
    { keys: ['↑', '↓', '←', '→'], does: 'Day or hour before and after; Enter makes an entry' },
    { keys: ['Shift', '→'], does: 'Move the entry' },
    { keys: ['Alt', '→'], does: 'Make the entry longer or shorter' },
  ],
  pivot: [
    { keys: ['↑', '↓', '←', '→'], does: 'Figure before and after' },
    { keys: ['Enter'], does: 'Open the records of the figure' },
    { keys: ['Space'], does: 'Unfold or fold the row or column' },
    { keys: ['Shift', 'F10'], does: 'What can be done with the figure' },
    { keys: ['F'], does: 'Filter to the figure' },
    { keys: ['S'], does: 'Swap rows and columns' },
  ],
  cohort: [
    { keys: ['↑', '↓', '←', '→'], does: 'Figure before and after' },
    { keys: ['Enter'], does: 'Open the records of the figure' },
    { keys: ['Space'], does: 'What can be done with the figure' },
  ],
};
