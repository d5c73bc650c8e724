/** Moves toasts away from the focused field. Returns a function that stops it. */
export function avoidFocusedField(toasts: HTMLElement): () => void {
  const look = () => {
    toasts.classList.remove('toasts-up');
    const field = document.querySelector('.main :focus')?.getBoundingClientRect();
    const own = toasts.getBoundingClientRect();
    // A field this high leaves no free space.
    if (!field || field.height > 200) return;
    const isOver = own.top < field.bottom && own.bottom > field.top && own.left < field.right && own.right > field.left;
    toasts.classList.toggle('toasts-up', isOver);
  };
  look();
  document.addEventListener('focusin', look);
  return () => document.removeEventListener('focusin', look);
}
