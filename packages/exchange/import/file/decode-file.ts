import { text, ValidationError, type Words } from '@kontor/protocol';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** What programs write when they do not write CSV, by how it begins. */
const others: readonly { readonly begins: readonly number[]; readonly message: Words }[] = [
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    message: text('This is a spreadsheet or an archive, not a CSV file. Save it as "CSV UTF-8" and choose that file.'),
  },
  {
    begins: [0xd0, 0xcf, 0x11, 0xe0],
    message: text('This is an Excel file, not a CSV file. Save it as "CSV UTF-8" and choose that file.'),
  },
  { begins: [0x25, 0x50, 0x44, 0x46], message: text('This is a PDF, not a CSV file.') },
  { begins: [0xff, 0xfe], message: text('This file is in UTF-16. Save it as "CSV UTF-8" and choose that file.') },
  { begins: [0xfe, 0xff], message: text('This file is in UTF-16. Save it as "CSV UTF-8" and choose that file.') },
];

/** The text of a CSV file, without its byte order mark. A file of another kind is refused with what to do. */
export function decodeFile(bytes: Buffer): string {
  if (bytes.length === 0) throw badFile(text('The file is empty.'));
  const other = others.find(({ begins }) => begins.every((byte, index) => bytes[index] === byte));
  if (other) throw badFile(other.message);
  if (bytes.includes(0)) throw badFile(text('This is not a text file. Choose a CSV file.'));
  try {
    return utf8.decode(bytes);
  } catch {
    throw badFile(
      text('The file is not in UTF-8 (line {line}). Save it as "CSV UTF-8" and choose that file.', {
        line: firstBadLine(bytes),
      }),
    );
  }
}

export function badFile(message: Words): ValidationError {
  return new ValidationError({ file: [message] }, message);
}

/** A line never ends inside a character, so each can be tried alone. */
function firstBadLine(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start);
    try {
      utf8.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}
