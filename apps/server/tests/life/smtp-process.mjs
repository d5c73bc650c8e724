// A mail server as a process of its own. It wants STARTTLS and a login, refuses `refuse-…`, and writes a line for what it accepts.
import { readFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

const [, , keyFile, certFile, login] = process.argv;
const server = new SMTPServer({
  key: readFileSync(keyFile),
  cert: readFileSync(certFile),
  authMethods: ['PLAIN', 'LOGIN'],
  onAuth({ username, password }, session, done) {
    if (!session.secure) return done(new Error('Not in the clear'));
    if (`${username}:${password}` !== login) return done(new Error('Wrong login'));
    done(null, { user: username });
  },
  onRcptTo({ address }, _session, done) {
    if (!address.startsWith('refuse-')) return done();
    done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }));
  },
  onData(stream, { envelope }, done) {
    stream.resume();
    stream.on('end', () => {
      process.stdout.write(`accepted ${envelope.rcptTo[0].address}\n`);
      done();
    });
  },
});
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.server.address().port}\n`));
