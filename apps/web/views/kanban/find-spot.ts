import type { Move } from './board.ts';

/** The place on the board under a point: the column by its sides, the card by its middle. */
export function findSpot(board: HTMLElement, id: number, x: number, y: number): Omit<Move, 'id'> | null {
  const columns = [...board.querySelectorAll<HTMLElement>('[data-column]')];
  const column = columns.find((one) => {
    const { left, right } = one.getBoundingClientRect();
    return x >= left && x <= right;
  });
  if (!column) return null;
  const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')];
  const next = cards.find((card) => {
    if (card.dataset.card === String(id)) return false;
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  return { to: column.dataset.column as string, before: next ? Number(next.dataset.card) : null };
}

const edge = 48;
const speed = 14;

/** Near an edge the board or the column goes on by itself. */
export function scrollAtEdges(board: HTMLElement, x: number, y: number): void {
  const { left, right } = board.getBoundingClientRect();
  if (x < left + edge) board.scrollLeft -= speed;
  else if (x > right - edge) board.scrollLeft += speed;
  const cards = document.elementFromPoint(x, y)?.closest('.kanban-cards');
  if (!cards) return;
  const { top, bottom } = cards.getBoundingClientRect();
  if (y < top + edge) cards.scrollTop -= speed;
  else if (y > bottom - edge) cards.scrollTop += speed;
}
