const lookMs = 500;

/**
 * Asks this process to stop once the one that started it is gone. npm hands on the signals that it is told of; one that is killed
 * (SIGKILL, or for want of memory) tells nobody, and the server would hold the port and the data directory.
 */
function endWithParent() {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    console.error('The process that started this one is gone; stopping.');
    process.kill(process.pid, 'SIGTERM');
  }, lookMs).unref();
}

module.exports = { endWithParent };
