/** The script of the customer's page: adds up ticked options, draws a signature, sends forms, and says that the page was seen. */
const main = document.querySelector<HTMLElement>('main[data-path]');
const form = document.querySelector<HTMLFormElement>('form#accept');

if (main && main.dataset.preview === '0') void fetch(`${main.dataset.path}/seen`, { method: 'POST' });
addUpOptions();
if (form) {
  takeSignature(form);
  hideBarOver(form);
}
for (const each of document.querySelectorAll<HTMLFormElement>('form[method=post]')) sendInPlace(each);

/** Exact: amounts are digits, added as whole numbers of the smallest unit. */
function addUpOptions(): void {
  const total = document.querySelector<HTMLElement>('[data-amount]');
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[data-total]')];
  if (!total || boxes.length === 0) return;
  const places = Number(total.dataset.places);
  const copy = document.querySelector<HTMLElement>('[data-copy]');
  const added = document.querySelector<HTMLElement>('[data-options]');
  const units = (digits = '0') => {
    const [, sign = '', whole = '0', rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(digits) ?? [];
    return BigInt(`${sign}${whole}${rest.slice(0, places).padEnd(places, '0')}`);
  };
  const shown = total.textContent ?? '';
  const format = new Intl.NumberFormat(document.documentElement.lang, {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  });
  const plain = digitsOf(units(total.dataset.amount), places);
  const before = format.format(plain);
  const update = () => {
    const ticked = boxes.filter((box) => box.checked);
    const sum = ticked.reduce((all, box) => all + units(box.dataset.total), units(total.dataset.amount));
    const after = format.format(digitsOf(sum, places));
    const inWords = (digits: string) =>
      shown.includes(before) ? shown.replace(before, digits) : `${digits} ${total.dataset.symbol ?? ''}`;
    total.textContent = inWords(after);
    if (copy) copy.textContent = total.textContent;
    if (added) {
      const extra = sum - units(total.dataset.amount);
      added.hidden = ticked.length === 0;
      const place = added.querySelector('dd');
      if (place) place.textContent = inWords(format.format(digitsOf(extra, places)));
    }
    for (const box of boxes) box.closest('li')?.classList.toggle('ticked', box.checked);
  };
  for (const box of boxes) box.addEventListener('change', update);
  update();
}

function digitsOf(units: bigint, places: number): Intl.StringNumericLiteral {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const whole = digits.slice(0, digits.length - places);
  const rest = places === 0 ? '' : `.${digits.slice(-places)}`;
  return `${units < 0n ? '-' : ''}${whole}${rest}` as Intl.StringNumericLiteral;
}

function takeSignature(accept: HTMLFormElement): void {
  const canvas = accept.querySelector('canvas');
  const pen = canvas?.getContext('2d');
  const picture = accept.elements.namedItem('picture') as HTMLInputElement;
  const name = accept.elements.namedItem('name') as HTMLInputElement;
  if (!canvas || !pen) return;
  const keep = () => {
    picture.value = canvas.toDataURL('image/png');
  };
  const clear = () => {
    pen.clearRect(0, 0, canvas.width, canvas.height);
    picture.value = '';
  };
  const place = (event: PointerEvent) => {
    const box = canvas.getBoundingClientRect();
    return [
      ((event.clientX - box.left) * canvas.width) / box.width,
      ((event.clientY - box.top) * canvas.height) / box.height,
    ] as const;
  };
  Object.assign(pen, {
    lineWidth: 4,
    lineCap: 'round',
    lineJoin: 'round',
    strokeStyle: '#1b2a6b',
    fillStyle: '#1b2a6b',
  });
  canvas.addEventListener('pointerdown', (event) => {
    event.preventDefault();
    canvas.setPointerCapture(event.pointerId);
    pen.beginPath();
    pen.moveTo(...place(event));
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    pen.lineTo(...place(event));
    pen.stroke();
  });
  canvas.addEventListener('pointerup', keep);
  accept.querySelector('[data-clear]')?.addEventListener('click', clear);
  accept.querySelector('[data-type]')?.addEventListener('click', () => {
    clear();
    if (name.value.trim() === '') return name.focus();
    pen.font = 'italic 72px "Segoe Script", "Brush Script MT", cursive';
    pen.fillText(name.value.trim(), 24, 130, canvas.width - 48);
    keep();
  });
}

/** The bar leads to the form, and would cover it. */
function hideBarOver(accept: HTMLFormElement): void {
  const bar = document.querySelector<HTMLElement>('.bar');
  if (!bar) return;
  new IntersectionObserver(([entry]) => {
    bar.hidden = entry?.isIntersecting ?? false;
  }).observe(accept);
}

/** Sends a form without leaving the page, and says what went wrong beside it. */
function sendInPlace(each: HTMLFormElement): void {
  each.addEventListener('submit', (event) => {
    event.preventDefault();
    const button = each.querySelector<HTMLButtonElement>('button:not([type=button])');
    const picture = each.elements.namedItem('picture');
    if (picture instanceof HTMLInputElement && picture.value === '')
      return tell(each, each.querySelector<HTMLElement>('[data-missing]')?.dataset.missing ?? '');
    if (button) button.disabled = true;
    void send(each).catch((error: unknown) => {
      if (button) button.disabled = false;
      tell(each, error instanceof Error ? error.message : String(error));
    });
  });
}

async function send(each: HTMLFormElement): Promise<void> {
  const fields = new FormData(each);
  const isForm = each.enctype === 'multipart/form-data';
  const answer = await fetch(each.action, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: isForm ? fields : new URLSearchParams(fields as unknown as Record<string, string>),
  });
  if (answer.ok) return location.replace(answer.url);
  const { error } = (await answer.json()) as { error: { message: string } };
  throw new Error(error.message);
}

function tell(each: HTMLFormElement, words: string): void {
  const known = each.querySelector<HTMLElement>('.problem');
  const place = known ?? document.createElement('p');
  place.className = 'problem';
  place.setAttribute('role', 'alert');
  place.textContent = words;
  place.hidden = false;
  if (!known) each.append(place);
}
