import { binaryKind, checkBase64 } from './binary.ts';
import { BadValue, type FieldKind } from './kind.ts';
import { isAbsent } from './text-check.ts';

/** A picture. SVG is refused: it can carry scripts. */
export const imageKind: FieldKind = {
  ...binaryKind,
  cast(value) {
    if (isAbsent(value) || value === '') return null;
    const text = checkBase64(value);
    if (imageType(Buffer.from(text.slice(0, 64), 'base64')) === null) {
      throw new BadValue('Give a PNG, JPEG, GIF or WebP picture.');
    }
    return text;
  },
};

/** The media type that the first bytes tell, or null for anything else. */
export function imageType(bytes: Buffer): string | null {
  const latin = bytes.toString('latin1');
  if (latin.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (latin.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (latin.startsWith('GIF87a') || latin.startsWith('GIF89a')) return 'image/gif';
  if (latin.startsWith('RIFF') && latin.slice(8, 12) === 'WEBP') return 'image/webp';
  return null;
}
