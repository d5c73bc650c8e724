import { ClientError } from '../../data/client-error.ts';
import { t } from '../../i18n/messages.ts';

const side = 256;

/** The middle of a picture as a small square JPEG, in base64. */
export async function squarePicture(file: File): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) throw new ClientError('validation', t('This is not a picture that the browser can show.'));
  const size = Math.min(picture.width, picture.height);
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const [x, y] = [(picture.width - size) / 2, (picture.height - size) / 2];
  canvas.getContext('2d')?.drawImage(picture, x, y, size, size, 0, 0, side, side);
  picture.close();
  return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
}
