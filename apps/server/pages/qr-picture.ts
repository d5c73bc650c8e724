import { renderSVG } from 'uqr';

/** A QR code as the address of a picture; drawn here, so that the secret in it is told to nobody. */
export function qrPicture(text: string): string {
  const svg = renderSVG(text, { ecc: 'M', border: 2, pixelSize: 4 });
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
