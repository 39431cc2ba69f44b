/**
 * The processes that are measured, and what they use: the server over a folder, and the raw one that repeats its answers.
 */
import { execFileSync, fork, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const project = dirname(dirname(fileURLToPath(import.meta.url)));
const children = new Set();
const cms = join(project, 'bin', 'cms.js');
export const ownDist = join(project, 'dist');
/** Runs the command line of a build that is given by its folder. */
const runBuild = `const [dist, ...args] = process.argv.slice(1);
const { main, processIo } = await import(dist + '/cli/main.js');
process.exitCode = await main(args, processIo);`;

/**
 * Starts a server and waits for its first right answer, and until all of its workers serve: a connection stays with the one that got it.
 * @param path  below its address; must answer 200
 * @param dist  the build that is started
 * @param preload  a module that is loaded before it
 */
export async function startServer(folder, path, args = [], dist = ownDist, preload = undefined) {
  const port = await freePort();
  const started = performance.now();
  const env = { ...process.env, NODE_ENV: 'production' };
  const before = preload === undefined ? [] : ['--import', preload];
  const program = [...before, ...(dist === ownDist ? [cms] : ['--input-type=module', '--eval', runBuild, resolve(dist)])];
  const child = spawn(process.execPath, [...program, 'serve', folder, '--port', String(port), '--host', '127.0.0.1', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.add(child);
  let log = '';
  child.stderr.on('data', (chunk) => {
    log = (log + chunk).slice(-1000);
  });
  const base = `http://127.0.0.1:${port}`;
  const workers = Number(args[args.indexOf('--workers') + 1]);
  const isComplete = () => !args.includes('--workers') || workers < 2 || log.includes(`all ${workers} workers answer`);
  while (performance.now() - started < 600_000 && child.exitCode === null) {
    const answer = isComplete() ? await fetchAnswer(base + path).catch(() => null) : null;
    if (answer?.status === 200) return { base, pid: child.pid, readyMs: performance.now() - started, stop: () => stop(child) };
    await pause(5);
  }
  throw new Error(`the server did not answer ${path} with 200: ${log}`);
}

/** @param answers  by path, as `fetchAnswer` gives them */
export function startRaw(answers) {
  return startYardstick('raw.mjs', answers);
}

/**
 * @param directory  where it writes what it is sent
 * @param answer     to each request, as `fetchAnswer` gives it
 */
export function startRawWrites(directory, answer) {
  return startYardstick('raw-writes.mjs', { directory, answer });
}

async function startYardstick(program, message) {
  const child = fork(join(project, 'bench', program));
  children.add(child);
  const port = new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', () => reject(new Error('the raw server ended')));
  });
  child.send(message);
  return { base: `http://127.0.0.1:${await port}`, pid: child.pid, stop: () => stop(child) };
}

/** An administrator of a folder. @returns a Basic header */
export function makeAdministrator(folder) {
  const run = (...args) =>
    execFileSync(process.execPath, [cms, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  run('user', 'create', 'bench-admin', '--role', 'administrator', '--email', 'bench@example.com', '--dir', folder);
  const password = run('password', 'create', 'bench-admin', '--dir', folder).trim().split('\n').at(-1);
  return `Basic ${Buffer.from(`bench-admin:${password}`).toString('base64')}`;
}

export async function stopAll() {
  await Promise.all([...children].map(stop));
}

async function stop(child) {
  children.delete(child);
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await ended;
  clearTimeout(late);
}

/** Processor time of all threads of a process so far, in ms. Linux tells it to the nanosecond. */
export function cpuMs(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    return sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  }, 0);
}

/** The same of a server's processes, and of those that they have started and outlived, as git. */
export function allCpuMs(pid) {
  return processesOf(pid).reduce((sum, one) => {
    const stat = readFileSync(`/proc/${one}/stat`, 'utf8');
    const [user, system] = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(13, 15);
    return sum + cpuMs(one) + (Number(user) + Number(system)) * tickMs;
  }, 0);
}

/** Of the times in `/proc/PID/stat`. */
const tickMs = 10;

/** Processor time of the thread that answers, in ms: what wall time is on a machine with nothing else to do. */
export function answeringMs(pid) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

/** Processor time that all threads of a process have had or waited for, in ms: on a busy machine one that works may get little. */
function wantedMs(pid) {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const [had = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ').map(Number);
    return sum + (had + waited) / 1e6;
  }, 0);
}

/** Waits until a process rests: what it prepares after its start is done. @returns seconds waited */
export async function settled(pid) {
  const started = performance.now();
  for (let quiet = 0; quiet < 2 && performance.now() - started < 300_000; ) {
    const before = wantedMs(pid);
    await pause(500);
    quiet = wantedMs(pid) - before < 25 ? quiet + 1 : 0;
  }
  return (performance.now() - started) / 1000;
}

/** A process and its children, the oldest first; the primary of several workers answers nothing and comes first. */
export function processesOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number))];
}

/** Memory of a process in MiB. */
export function memoryMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
}

/** An answer as sent: headers as a flat list without those `node:http` adds by itself, body in base64. */
export function fetchAnswer(url, { method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, timeout: 30_000 }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const flat = response.rawHeaders.flatMap((name, at, all) =>
          at % 2 === 1 || /^(date|connection|keep-alive)$/i.test(name) ? [] : [name, all[at + 1]],
        );
        resolve({ status: response.statusCode, headers: flat, body: Buffer.concat(chunks).toString('base64') });
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer within 30 s')));
    sent.on('error', reject);
    sent.end(body);
  });
}

/** A client with one connection that it keeps. */
export function createClient(base) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port } = new URL(base);
  return {
    /** @returns status, ms until the last byte, and the body where `read` is set */
    ask(path, { method = 'GET', headers = {}, body, read = false } = {}) {
      return new Promise((resolve, reject) => {
        const started = performance.now();
        const sent = request({ agent, hostname, port, path, method, headers }, (response) => {
          const chunks = [];
          response.on('data', (chunk) => read && chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              headers: response.headers,
              ms: performance.now() - started,
              ...(read ? { body: Buffer.concat(chunks).toString('utf8') } : {}),
            }),
          );
        });
        sent.on('error', reject);
        sent.end(body);
      });
    },
    close: () => agent.destroy(),
  };
}

/**
 * A client that leaves next to no garbage: the collector of one that does stops it as often as a quick server's stops that, and both
 * are in what is waited for. GET alone, of answers that tell their length.
 */
export function createLeanClient(base) {
  const { hostname, port } = new URL(base);
  let asked = null;
  const socket = connect({
    host: hostname,
    port: Number(port),
    noDelay: true,
    onread: {
      buffer: Buffer.allocUnsafe(64 * 1024),
      callback(length, buffer) {
        let from = 0;
        if (asked.left < 0) {
          const end = buffer.subarray(0, length).indexOf('\r\n\r\n');
          const head = buffer.latin1Slice(0, end);
          asked.status = Number(head.slice(9, 12));
          asked.left = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 'none');
          from = end + 4;
        }
        asked.left -= length - from;
        const { left, status, started, resolve, reject } = asked;
        if (Number.isNaN(left)) reject(new Error('an answer without a length'));
        else if (left <= 0) resolve({ status, ms: performance.now() - started });
        return true;
      },
    },
  });
  socket.on('error', (error) => asked?.reject(error));
  socket.on('close', () => asked?.reject(new Error('the connection was closed')));
  return {
    /** @returns status, and ms until the last byte */
    ask: (path) =>
      new Promise((resolve, reject) => {
        asked = { left: -1, status: 0, started: performance.now(), resolve, reject };
        socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      }),
    close: () => socket.destroy(),
  };
}

export function freePort() {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

export function median(values) {
  return quantile(values, 0.5);
}

export function quantile(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}
