// Keeps the pages for times without a network. `nestling site` fills in the files and a number that changes with them.

/** @type {string[]} */
const FILES = []
const VERSION = ''

const worker = /** @type {ServiceWorker & typeof globalThis & { registration: ServiceWorkerRegistration }} */ (/** @type {unknown} */ (self))

/** What all versions of this folder's files are kept under: other folders of the same site have their own. */
const OURS = `nestling ${worker.registration.scope} `
const CACHE = `${OURS}${VERSION}`

/** @param {any} event */
const install = event =>
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(FILES.map(file => new Request(file, { cache: 'no-cache' })))))

/** @param {any} event */
const activate = event =>
  event.waitUntil(caches.keys().then(names =>
    Promise.all(names.filter(name => name.startsWith(OURS) && name !== CACHE).map(name => caches.delete(name)))))

/** @param {any} event */
const answer = event => {
  const { request } = event
  if (request.method !== 'GET' || !request.url.startsWith(worker.registration.scope)) return
  event.respondWith(caches.open(CACHE).then(cache => cache.match(request, { ignoreSearch: true })).then(found => found ?? fetch(request)))
}

addEventListener('install', install)
addEventListener('activate', activate)
addEventListener('fetch', answer)
