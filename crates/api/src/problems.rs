//! Problems, and what is known of them.

use nestling::{Allowance, Goal};
use nestling_registry::json::score;
use nestling_registry::{Device, Instance};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Host, Reply, Request, RequestResult};

#[derive(Deserialize)]
pub(crate) struct Named {
    pub problem: String,
}

/// All problems.
pub(crate) fn list(host: &dyn Host, _request: &Request<'_>) -> RequestResult<Reply> {
    let problems = host.registry().list().map(|(name, summary)| json!({ "name": name, "summary": summary }));
    Ok(problems.collect::<Value>().into())
}

/// What is known of a problem.
pub(crate) fn one(host: &dyn Host, request: &Request<'_>) -> RequestResult<Reply> {
    let (registry, Named { problem }) = (host.registry(), request.asked()?);
    let problem = registry.open(&problem)?;
    let formats = registry.formats(problem.as_ref());
    let formats: Vec<Value> =
        formats.map(|format| json!({ "name": format.name(), "extension": format.extensions()[0] })).collect();
    let known = json!({
        "name": problem.name(),
        "goal": if problem.goal() == Goal::Max { "max" } else { "min" },
        "unit": problem.unit(),
        "record": record(problem.as_ref()),
        "formats": formats,
        "game": problem.table().is_some(),
        "devices": devices(problem.as_ref()),
    });
    Ok(known.into())
}

/// What can search it on this machine. GPUs can where they can make the search that suits them.
fn devices(problem: &dyn Instance) -> Vec<Device> {
    let suited = |device: Device| device.suggestion(problem, Allowance::Unknown).search;
    let usable = |device: &Device| device.is_cpu() || problem.gpu_check(&suited(*device)).is_ok();
    [Device::Cpu, Device::Cuda].into_iter().filter(usable).collect()
}

fn record(problem: &dyn Instance) -> Option<Value> {
    let record = problem.record()?;
    let bound = record.bound.map(|(bound, prover)| json!({ "score": score(bound), "prover": prover }));
    Some(json!({
        "score": score(record.score),
        "holder": record.holder,
        "proven": record.proven,
        "bound": bound,
    }))
}
