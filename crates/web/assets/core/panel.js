// What every page that searches has: a search that is watched, and a form to start one.

import { part } from './dom.js'
import { words } from './words.js'

const PANEL = `
  <h2 id="watch-title">${words('core.watch-a-search')}</h2>
  <div id="live" hidden>
    <div id="others" class="row" role="group" aria-label="${words('core.other-searches')}" hidden></div>
    <p class="expression"><code id="live-search"></code></p>
    <p class="figure small"><strong id="live-best">–</strong> <span id="live-unit"></span></p>
    <p id="live-distance" class="faint"></p>
    <p id="live-state" class="faint"></p>
    <div class="row">
      <button id="pause" type="button">${words('core.pause')}</button>
      <button id="resume" type="button">${words('runs.resume')}</button>
      <button id="stop" type="button">${words('shared.stop')}</button>
      <button id="take" type="button">${words('core.play-on-from-it')}</button>
    </div>
    <figure>
      <figcaption>${words('runs.score-over-time')}</figcaption>
      <svg id="curve" class="chart" role="img" aria-label="${words('runs.score-over-time')}"></svg>
    </figure>
    <figure>
      <figcaption>${words('core.playouts-lately')} <span id="live-rate"></span></figcaption>
      <svg id="bars" class="chart" role="img" aria-label="${words('core.scores-of-the-last-playouts')}"></svg>
    </figure>
  </div>
  <details id="another" open>
    <summary>${words('core.start-a-search')}</summary>
    <form id="search">
      <label class="wide">${words('shared.search')}
        <select id="algorithm"></select>
      </label>
      <label><span id="level-name">${words('core.level')}</span>
        <select id="level"></select>
      </label>
      <label>${words('core.time')}
        <select id="time">
          <option value="10">${words('core.10-seconds')}</option>
          <option value="60" selected>${words('core.a-minute')}</option>
          <option value="600">${words('core.10-minutes')}</option>
          <option value="3600">${words('core.an-hour')}</option>
          <option value="2592000">${words('core.until-i-stop-it')}</option>
        </select>
      </label>
      <label id="device-choice" class="wide" hidden>${words('core.device')}
        <select id="device">
          <option value="cpu" selected>${words('core.processor')}</option>
          <option value="cuda">${words('core.gpu')}</option>
        </select>
      </label>
      <label class="wide">${words('core.expression')}
        <input id="expression" type="text" placeholder="${words('core.the-best')}" spellcheck="false" autocapitalize="off" autocomplete="off">
      </label>
      <p id="cost" class="faint wide" aria-live="polite"></p>
      <label class="check wide"><input id="from-here" type="checkbox"> <span>${words('core.from-the-position')}</span></label>
      <button id="start" class="main wide" type="submit">${words('core.start')}</button>
    </form>
  </details>
  <div id="best" hidden>
    <h3>${words('core.best-score-of-each')}</h3>
    <ol id="best-list" class="ranking"></ol>
  </div>
`

/** Fills the page's section for searches. */
export const searchPanel = () => part('watch').insertAdjacentHTML('beforeend', PANEL)
