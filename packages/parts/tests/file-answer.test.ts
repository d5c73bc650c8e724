import { expect, it } from 'vitest';
import { fileAnswer } from '../pages/file-answer.ts';

it('BOO-16 a file is downloaded and kept by nobody, and its name is no part of another header', () => {
  const content = Buffer.from('x');
  expect(fileAnswer({ name: 'S-1.pdf', type: 'application/pdf', content, isShown: true })).toEqual({
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': 'inline; filename="S-1.pdf"',
      'cache-control': 'private, no-store',
    },
    body: content,
  });
  const odd = fileAnswer({ name: 'a"; b\r\nx.html', content, headers: { 'cache-control': 'private' } });
  expect(odd.headers).toEqual({
    'content-type': 'application/octet-stream',
    'content-disposition': "attachment; filename*=UTF-8''a%22%3B%20b%0D%0Ax.html",
    'cache-control': 'private',
  });
});
