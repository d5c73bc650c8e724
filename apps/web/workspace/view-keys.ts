import { isApple, type KeyHelp } from '../navigation/keys.ts';

/**
 * The keyboard help of each view. Separate from the views, because it is loaded with the dialog and not with the first
 * screen.
 */
export const viewKeys: Readonly<Record<string, readonly KeyHelp[]>> = {
  list: [
    { keys: ['↑', '↓'], does: 'Previous row, next row' },
    { keys: ['K', 'J'], does: 'Previous row, next row' },
    { keys: ['Enter'], does: 'Open row' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'Click'], does: 'Open in a new tab' },
    { keys: ['Space'], does: 'Select row' },
    { keys: ['Tab'], does: 'Next cell while editing' },
    { keys: ['E'], does: 'Edit row' },
    { keys: ['Alt', '↑', '↓'], does: 'Move row, if rows have an order' },
    { keys: ['Esc'], does: 'Stop editing, clear the selection' },
  ],
  form: [
    { keys: [isApple ? '⌘' : 'Ctrl', 'S'], does: 'Save' },
    { keys: ['Alt', 'PageDown'], does: 'Next record' },
    { keys: ['Alt', 'PageUp'], does: 'Previous record' },
    { keys: ['Alt', 'Enter'], does: 'Open the record that is chosen in a field' },
    { keys: ['Enter'], does: 'Lines: next row, and a new one after the last' },
    { keys: ['Tab'], does: 'Lines: next cell' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'D'], does: 'Lines: duplicate the line' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'Shift', 'D'], does: 'Lines: fill the value down' },
    { keys: [isApple ? '⌘' : 'Ctrl', 'Delete'], does: 'Lines: delete the line' },
    { keys: ['Alt', '↑', '↓'], does: 'Lines: move the line' },
  ],
  kanban: [
    { keys: ['↑', '↓', '←', '→'], does: 'Previous and next card or column' },
    { keys: ['Enter'], does: 'Open the card' },
    { keys: ['Space'], does: 'Pick up the card; arrow keys move it, Space drops it' },
    { keys: ['Esc'], does: 'Cancel the move' },
    { keys: ['X'], does: 'Select the card' },
    { keys: ['C'], does: 'New card in this column' },
  ],
  graph: [
    { keys: ['←', '→'], does: 'Previous and next group' },
    { keys: ['↑', '↓'], does: 'Series above or below' },
    { keys: ['Enter'], does: 'Open the records of the series' },
    { keys: ['Shift', 'Enter'], does: 'Open the records of the whole group' },
    { keys: ['Esc'], does: 'Clear selection' },
  ],
  calendar: [
    { keys: ['T'], does: 'Today' },
    { keys: ['PageUp', 'PageDown'], does: 'Previous and next period' },
    { keys: ['D', 'W', 'M', 'A'], does: 'Day, week, month, agenda' },
    { keys: ['↑', '↓', '←', '→'], does: 'Previous or next day or hour; Enter creates an entry' },
    { keys: ['Shift', '→'], does: 'Move the entry' },
    { keys: ['Alt', '→'], does: 'Resize the entry' },
  ],
  pivot: [
    { keys: ['↑', '↓', '←', '→'], does: 'Previous and next value' },
    { keys: ['Enter'], does: 'Open the records of the figure' },
    { keys: ['Space'], does: 'Expand or collapse the row or column' },
    { keys: ['Shift', 'F10'], does: 'Actions for the value' },
    { keys: ['F'], does: 'Filter by the value' },
    { keys: ['S'], does: 'Swap rows and columns' },
  ],
  cohort: [
    { keys: ['↑', '↓', '←', '→'], does: 'Previous and next value' },
    { keys: ['Enter'], does: 'Open the records of the figure' },
    { keys: ['Space'], does: 'Actions for the value' },
  ],
  gantt: [
    { keys: ['T'], does: 'Today' },
    { keys: ['PageUp', 'PageDown'], does: 'Previous and next period' },
    { keys: ['D', 'W', 'M', 'Q', 'Y'], does: 'Day, week, month, quarter, year' },
    { keys: ['↑', '↓'], does: 'Previous and next row' },
    { keys: ['←', '→'], does: 'Expand or collapse a group' },
    { keys: ['Shift', '→'], does: 'Move the entry' },
    { keys: ['Alt', '→'], does: 'Resize the entry' },
    { keys: ['L'], does: 'What the entry depends on' },
  ],
};
