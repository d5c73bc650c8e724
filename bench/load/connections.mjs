import { connect } from 'node:net';

/** Opens the connections and resolves when each has had its last answer. */
export function connectAll(options) {
  return Promise.all(Array.from({ length: options.connections }, () => runConnection(options)));
}

function runConnection({ host, nextRequest, mayGoOn, onAnswer }) {
  const [address, port] = host.split(':');
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), address);
    const reader = answerReader((answer) => {
      onAnswer({ ...answer, sentAt });
      next();
    });
    let sentAt = 0;
    socket.setNoDelay(true);
    socket.once('connect', next);
    socket.on('data', reader);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The server closed a connection.')));

    function next() {
      if (!mayGoOn()) {
        socket.removeAllListeners('close');
        socket.end();
        return resolve();
      }
      sentAt = performance.now();
      socket.write(nextRequest(), 'latin1');
    }
  });
}

/** Reads answers with a Content-Length, one at a time: nothing is sent before the last answer is complete. */
function answerReader(onAnswer) {
  let chunks = [];
  let missing = 0;
  let isOk = false;
  return (chunk) => {
    chunks.push(chunk);
    if (missing > 0) missing -= chunk.length;
    else {
      const bytes = chunks.length === 1 ? chunk : Buffer.concat(chunks);
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = bytes.latin1Slice(0, end);
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
      if (Number.isNaN(length)) throw new Error(`An answer without a length:\n${head}`);
      isOk = head.startsWith('HTTP/1.1 200');
      missing = end + 4 + length - bytes.length;
    }
    if (missing > 0) return;
    const all = chunks;
    chunks = [];
    missing = 0;
    onAnswer({ isOk, body: () => Buffer.concat(all).toString('utf8').slice(-500) });
  };
}
