import { saveFile } from './download.ts';

/** Style properties to inline, because a file has no style sheet. */
const kept = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'opacity',
  'font-size',
  'font-weight',
  'font-family',
  'text-anchor',
];
/** Sharp on high-density screens. */
const density = 2;

/** Downloads the chart in the colours of the current theme. */
export async function downloadPicture(svg: SVGSVGElement, name: string, format: 'svg' | 'png'): Promise<void> {
  const { width, height } = svg.getBoundingClientRect();
  const text = selfContained(svg, width, height);
  const file = new Blob([text], { type: 'image/svg+xml' });
  if (format === 'svg') return saveFile(file, `${name}.svg`);
  saveFile(await toPng(file, width, height), `${name}.png`);
}

/** A self-contained copy: styles are written to each element. */
function selfContained(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = [svg, ...svg.querySelectorAll('*')];
  for (const [at, element] of [copy, ...copy.querySelectorAll('*')].entries()) {
    const look = getComputedStyle(originals[at] as Element);
    for (const name of kept) element.setAttribute(name, look.getPropertyValue(name));
    element.removeAttribute('class');
    element.removeAttribute('style');
  }
  for (const passing of copy.querySelectorAll('[data-passing]')) passing.remove();
  const ground = document.createElementNS(svg.namespaceURI, 'rect') as SVGRectElement;
  const colour = getComputedStyle(document.documentElement).getPropertyValue('background-color');
  ground.setAttribute('width', '100%');
  ground.setAttribute('height', '100%');
  ground.setAttribute('fill', surfaceOf(svg) ?? colour);
  copy.prepend(ground);
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

/** The first opaque background behind the chart. */
function surfaceOf(element: Element): string | null {
  for (let at: Element | null = element; at; at = at.parentElement) {
    const colour = getComputedStyle(at).backgroundColor;
    if (colour !== 'transparent' && colour !== 'rgba(0, 0, 0, 0)') return colour;
  }
  return null;
}

/** Renders an SVG as a PNG. */
export async function toPng(svg: Blob, width: number, height: number): Promise<Blob> {
  const address = URL.createObjectURL(svg);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * density);
    canvas.height = Math.round(height * density);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    if (!made) throw new Error('The browser made no picture of the drawing.');
    return made;
  } finally {
    URL.revokeObjectURL(address);
  }
}
