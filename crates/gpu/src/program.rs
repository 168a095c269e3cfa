//! Kernels before they are compiled.

use std::borrow::Cow;
use std::fmt::Display;

use cudarc::nvrtc::{CompileOptions, Ptx, compile_ptx_with_opts};

use crate::error::GpuError;

/// CUDA C++ with what is needed to compile and to launch it: options of the compiler, and the names of the kernels with their
/// shared memory.
///
/// ```
/// use nestling_gpu::Program;
///
/// let source = r#"
///     extern "C" __global__ void fill(unsigned *values) { values[blockIdx.x * blockDim.x + threadIdx.x] = VALUE; }
/// "#;
/// let program = Program::new(source).define("VALUE", 7).kernel("fill");
/// assert_eq!(program.options(), ["-DVALUE=7"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    source: Cow<'static, str>,
    options: Vec<String>,
    kernels: Vec<Entry>,
}

/// A kernel that a program names.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: &'static str,
    shared_per_warp: u32,
}

impl Program {
    /// A source, without options and kernels.
    pub fn new(source: impl Into<Cow<'static, str>>) -> Program {
        Program { source: source.into(), options: Vec::new(), kernels: Vec::new() }
    }

    /// Defines a macro before the first line of the source: the way to make the sizes of a problem constants.
    #[must_use]
    pub fn define(self, name: &str, value: impl Display) -> Program {
        self.option(format!("-D{name}={value}"))
    }

    /// Gives the compiler an option of [NVRTC](https://docs.nvidia.com/cuda/nvrtc/index.html#supported-compile-options). The
    /// architecture is that of the device; it needs no option.
    #[must_use]
    pub fn option(mut self, option: impl Into<String>) -> Program {
        self.options.push(option.into());
        self
    }

    /// Names a kernel, an `extern "C" __global__` function, that declares all its shared memory itself.
    #[must_use]
    pub fn kernel(self, name: &'static str) -> Program {
        self.kernel_with_shared(name, 0)
    }

    /// Names a kernel that needs so many bytes of dynamic shared memory for every warp of a block, besides what it declares itself.
    #[must_use]
    pub fn kernel_with_shared(mut self, name: &'static str, bytes_per_warp: u32) -> Program {
        self.kernels.push(Entry { name, shared_per_warp: bytes_per_warp });
        self
    }

    /// The source.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The options of the compiler, with those that define macros.
    pub fn options(&self) -> &[String] {
        &self.options
    }

    /// The names of the kernels.
    pub fn kernels(&self) -> impl Iterator<Item = &'static str> {
        self.kernels.iter().map(|entry| entry.name)
    }

    /// The dynamic shared memory of a kernel in bytes for every warp.
    pub(crate) fn shared_per_warp(&self, kernel: &str) -> Result<u32, GpuError> {
        let entry = self.kernels.iter().find(|entry| entry.name == kernel);
        entry.map(|entry| entry.shared_per_warp).ok_or_else(|| GpuError::NoKernel(kernel.to_owned()))
    }
}

/// Compiles a program for GPUs of a compute capability, such as (9, 0). Needs no GPU.
///
/// # Errors
///
/// When there is no compiler, it refuses the source, or the source lacks a kernel that the program names.
pub fn compile(program: &Program, (major, minor): (i32, i32)) -> Result<Ptx, GpuError> {
    // SAFETY: this only looks for a library.
    if !unsafe { cudarc::nvrtc::sys::is_culib_present() } {
        return Err(GpuError::NoCompiler);
    }
    let mut options = vec![format!("--gpu-architecture=compute_{major}{minor}")];
    options.extend_from_slice(&program.options);
    let options = CompileOptions { options, ..CompileOptions::default() };
    let ptx =
        compile_ptx_with_opts(&program.source, options).map_err(|error| GpuError::Compiler(format!("{error:?}")))?;
    let compiled = ptx.to_src();
    match program.kernels().find(|name| !compiled.contains(&format!(".entry {name}("))) {
        Some(missing) => Err(GpuError::NoKernel(missing.to_owned())),
        None => Ok(ptx),
    }
}
