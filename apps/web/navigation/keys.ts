/** One line of the keyboard help. */
export interface KeyHelp {
  /** As printed on the keys: `['Ctrl', 'K']`. */
  readonly keys: readonly string[];
  /** English; translated where it is shown. */
  readonly does: string;
}

export const isApple = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

/** Whether a key press is typed into a field. */
export function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return (
    target !== null && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) && !isTick(target)
  );
}

function isTick(target: HTMLElement): boolean {
  return target instanceof HTMLInputElement && (target.type === 'checkbox' || target.type === 'radio');
}
