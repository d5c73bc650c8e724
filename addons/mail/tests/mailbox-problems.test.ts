import { inEnglish } from '@kontor/protocol';
import { expect, it } from 'vitest';
import { problemOf } from '../incoming/imap/problem.ts';

const settings = {
  ...{ host: 'imap.example.com', port: 993, tls: 'tls' as const, folder: 'INBOX', username: 'office', password: 'pw' },
};
const said = (error: object) => inEnglish(problemOf(error, settings));

it('INM-8 says in plain words why a mailbox cannot be fetched', () => {
  expect(said({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND imap.example.com' })).toBe(
    'The server imap.example.com was not found.',
  );
  expect(said({ code: 'ECONNREFUSED' })).toBe('The server imap.example.com cannot be reached on port 993.');
  for (const code of ['ETIMEDOUT', 'CONNECT_TIMEOUT', 'GREETING_TIMEOUT', 'ETIMEOUT'])
    expect(said({ code }), code).toBe('The server imap.example.com did not answer in time.');
  expect(said({ code: 'CERT_HAS_EXPIRED' })).toBe('The certificate of imap.example.com is not valid.');
  expect(said({ code: 'ERR_SSL_WRONG_VERSION_NUMBER' })).toBe(
    'The server imap.example.com does not use this encryption on port 993.',
  );
  expect(said({ mailboxMissing: true, responseText: 'Mailbox does not exist' })).toBe('There is no folder INBOX.');
  expect(said({ responseText: 'Invalid credentials', message: 'LOGIN office pw failed' })).toBe(
    'The mail server refused: Invalid credentials',
  );
  expect(said({ code: 'ECONNRESET' })).toBe('The connection to imap.example.com was lost.');
  expect(said(new Error('Something else'))).toBe('E-mail cannot be fetched: Something else');
});
