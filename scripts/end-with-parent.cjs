const lookMs = 500;

/**
 * Stops this process once its parent has exited. npm forwards signals; but if npm is killed (SIGKILL, or out of memory) it forwards
 * nothing, and the server would keep the port and the data directory.
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
