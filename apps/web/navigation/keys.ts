/** One line of the keyboard help. */
export interface KeyHelp {
  /** As on the caps: `['Ctrl', 'K']`. */
  readonly keys: readonly string[];
  /** English; translated where it is shown. */
  readonly does: string;
}

export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

export const shellKeys: readonly KeyHelp[] = [
  { keys: [isApple ? '⌘' : 'Ctrl', 'K'], does: 'Search and commands' },
  { keys: ['?'], does: 'This help' },
  { keys: ['G', 'H'], does: 'Home' },
  { keys: ['G', 'S'], does: 'Settings' },
  { keys: ['G', 'P'], does: 'Profile' },
  { keys: ['/'], does: 'Search in this screen' },
  { keys: ['N'], does: 'New record' },
  { keys: ['Esc'], does: 'Close what is open' },
];

/** Whether a key press belongs to a field someone types in. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return (
    target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTick(target)
  );
}

function isTick(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio');
}
