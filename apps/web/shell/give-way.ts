/** Moves toasts out of the way of the field that has the focus; answers how to stop. */
export function giveWay(toasts: HTMLElement): () => void {
  const look = () => {
    toasts.classList.remove('toasts-up');
    const field = document.querySelector('.main :focus')?.getBoundingClientRect();
    const own = toasts.getBoundingClientRect();
    // What fills the screen cannot be given way to.
    if (!field || field.height > 200) return;
    const isOver = own.top < field.bottom && own.bottom > field.top && own.left < field.right && own.right > field.left;
    toasts.classList.toggle('toasts-up', isOver);
  };
  look();
  document.addEventListener('focusin', look);
  return () => document.removeEventListener('focusin', look);
}
