//! A GPU with the kernels of a program.

use std::sync::Arc;

use cudarc::driver::sys::{CUdevice_attribute, CUfunction_attribute};
use cudarc::driver::{
    CudaContext, CudaFunction, CudaModule, CudaSlice, CudaStream, DeviceRepr, LaunchConfig, ValidAsZeroBits,
};

use crate::error::GpuError;
use crate::program::{Program, compile};

/// Bytes of dynamic shared memory that every kernel may have.
const WITHOUT_ASKING: u32 = 48 << 10;

/// How many GPUs can be used here.
///
/// # Errors
///
/// When there is no driver, no GPU, or no compiler: it says what is missing.
pub fn available() -> Result<usize, GpuError> {
    // SAFETY: this only looks for libraries.
    let (driver, compiler) =
        unsafe { (cudarc::driver::sys::is_culib_present(), cudarc::nvrtc::sys::is_culib_present()) };
    if !driver {
        return Err(GpuError::NoDriver);
    }
    match CudaContext::device_count()? {
        0 => Err(GpuError::NoDevice),
        _ if !compiler => Err(GpuError::NoCompiler),
        count => Ok(count.unsigned_abs() as usize),
    }
}

/// A GPU with the kernels of one program; clones are the same GPU.
#[derive(Clone)]
pub struct Gpu {
    context: Arc<CudaContext>,
    stream: Arc<CudaStream>,
    module: Arc<CudaModule>,
    program: Arc<Program>,
}

impl Gpu {
    /// Opens a GPU, the first being number 0, and compiles the kernels of a program for it.
    ///
    /// # Errors
    ///
    /// When there is no driver, no such GPU, or no compiler, or the program does not compile.
    pub fn open(number: usize, program: &Program) -> Result<Gpu, GpuError> {
        // SAFETY: this only looks for a library.
        if !unsafe { cudarc::driver::sys::is_culib_present() } {
            return Err(GpuError::NoDriver);
        }
        let context = CudaContext::new(number)?;
        let ptx = compile(program, context.compute_capability()?)?;
        let module = context.load_module(ptx)?;
        Ok(Gpu { stream: context.new_stream()?, context, module, program: Arc::new(program.clone()) })
    }

    /// The name of the GPU.
    ///
    /// # Errors
    ///
    /// When it is lost.
    pub fn name(&self) -> Result<String, GpuError> {
        Ok(self.context.name()?)
    }

    /// The program whose kernels are loaded.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where kernels are launched and memory is copied, one after the other.
    pub fn stream(&self) -> &Arc<CudaStream> {
        &self.stream
    }

    /// A kernel of the program, to be launched in blocks of so many warps.
    ///
    /// # Errors
    ///
    /// When the program has none of this name, or the device is lost.
    pub fn kernel(&self, name: &str, warps: u32) -> Result<Kernel, GpuError> {
        let shared = warps * self.program.shared_per_warp(name)?;
        let function = self.module.load_function(name)?;
        if shared > WITHOUT_ASKING {
            function
                .set_attribute(CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared as i32)?;
        }
        let processors = self.context.attribute(CUdevice_attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?;
        let each = function.occupancy_max_active_blocks_per_multiprocessor(warps * 32, shared as usize, None)?;
        Ok(Kernel { function, blocks: processors as u32 * each, warps, shared })
    }

    /// How many bytes of the device's memory are free.
    ///
    /// # Errors
    ///
    /// When the device is lost.
    pub fn free_memory(&self) -> Result<usize, GpuError> {
        Ok(self.context.mem_get_info()?.0)
    }

    /// Memory on the device with these contents.
    ///
    /// # Errors
    ///
    /// When there is not enough, or the device is lost.
    pub fn upload<T: DeviceRepr>(&self, values: &[T]) -> Result<CudaSlice<T>, GpuError> {
        Ok(self.stream.clone_htod(values)?)
    }

    /// Memory on the device, all zeros.
    ///
    /// # Errors
    ///
    /// As for [`upload`](Gpu::upload).
    pub fn zeros<T: DeviceRepr + ValidAsZeroBits>(&self, count: usize) -> Result<CudaSlice<T>, GpuError> {
        Ok(self.stream.alloc_zeros(count)?)
    }

    /// A copy of memory on the device, when all launches before have ended.
    ///
    /// # Errors
    ///
    /// When a launch before has failed, or the device is lost.
    pub fn download<T: DeviceRepr + Clone>(&self, values: &CudaSlice<T>) -> Result<Vec<T>, GpuError> {
        Ok(self.stream.clone_dtoh(values)?)
    }
}

/// A kernel, and how many blocks of it the GPU holds at once.
pub struct Kernel {
    function: CudaFunction,
    blocks: u32,
    warps: u32,
    shared: u32,
}

impl Kernel {
    /// The function, for [`CudaStream::launch_builder`].
    pub fn function(&self) -> &CudaFunction {
        &self.function
    }

    /// How many blocks the GPU holds at once.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// A launch of so many blocks.
    pub fn launch(&self, blocks: u32) -> LaunchConfig {
        LaunchConfig { grid_dim: (blocks, 1, 1), block_dim: (self.warps * 32, 1, 1), shared_mem_bytes: self.shared }
    }
}
