import './paper.css';

/** Between the margins of an A4 sheet that lies on its side, in CSS pixels. */
const sheetWidth = ((297 - 20) / 25.4) * 96;

/** Prints the whole screen: scroll areas are unrolled, and what is wider than the sheet is made as small as fits. */
export function watchPrinting(): void {
  window.addEventListener('beforeprint', unroll);
  window.addEventListener('afterprint', rollUp);
}

function unroll(): void {
  const main = document.getElementById('main');
  if (!main) return;
  const { left, right, width } = main.getBoundingClientRect();
  const isRightToLeft = document.documentElement.dir === 'rtl';
  let widest = Math.max(width, main.scrollWidth);
  for (const area of main.querySelectorAll<HTMLElement>('*')) {
    const { overflowX, overflowY } = getComputedStyle(area);
    if (!scrolls(overflowX) && !scrolls(overflowY)) continue;
    area.dataset.unrolled = '';
    const box = area.getBoundingClientRect();
    const start = isRightToLeft ? right - box.right : box.left - left;
    widest = Math.max(widest, start + area.scrollWidth);
  }
  document.documentElement.style.setProperty('--paper-width', `${widest}px`);
  document.documentElement.style.setProperty('--paper-zoom', String(Math.min(1, sheetWidth / widest)));
}

function scrolls(overflow: string): boolean {
  return overflow === 'auto' || overflow === 'scroll';
}

function rollUp(): void {
  for (const area of document.querySelectorAll<HTMLElement>('[data-unrolled]')) delete area.dataset.unrolled;
}
